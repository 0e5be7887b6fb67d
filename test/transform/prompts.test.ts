import { describe, expect, it } from "vitest";
import { readPrompt } from "../../pipeline/transform/prompts.js";

const START = '<skill name="review" location="/home/ada/.pi/agent/skills/review/SKILL.md">';
const REFERENCES = "References are relative to /home/ada/.pi/agent/skills/review.";

describe("readPrompt", () => {
  it("gives a typed text as it is", () => {
    expect(readPrompt("count the boxes\n")).toEqual({ typed: "count the boxes\n", skillName: null });
  });

  it("turns a skill call back into the command", () => {
    expect(readPrompt(`${START}\n${REFERENCES}\n\nRules.\n</skill>\n\nthe basket page`)).toEqual({
      typed: "/skill:review the basket page",
      skillName: "review",
    });
  });

  it("leaves a call without arguments bare", () => {
    expect(readPrompt(`${START}\n${REFERENCES}\n\nRules.\n</skill>`).typed).toBe("/skill:review");
  });

  it("looks for the last closing line, because a skill can show one", () => {
    const body = "Write it so:\n</skill>\n\nand goes on.";
    expect(readPrompt(`${START}\n${REFERENCES}\n\n${body}\n</skill>\n\nmulti\n\nline`).typed).toBe(
      "/skill:review multi\n\nline",
    );
  });

  it("does not take a closing line with words after it", () => {
    expect(readPrompt(`${START}\nRules.\n</skill>\n\nexplain\n</skill> to me`).typed).toBe(
      "/skill:review explain\n</skill> to me",
    );
  });

  it("leaves what only looks like a skill call", () => {
    for (const text of [`${START}\nno end`, `x${START}\nRules.\n</skill>`, '<skill name="a">\n</skill>']) {
      expect(readPrompt(text)).toEqual({ typed: text, skillName: null });
    }
  });

  it("knows the form of Pi 0.43 to 0.49", () => {
    const old = `Skill location: /skills/review/SKILL.md\n${REFERENCES}\n\nRules.`;
    expect(readPrompt(`${old}\n\n---\n\nUser: this file`)).toEqual({
      typed: "/skill:review this file",
      skillName: "review",
    });
    expect(readPrompt(old).typed).toBe("/skill:review");
    expect(readPrompt(old.replace("review/SKILL.md", "tidy.md")).typed).toBe("/skill:tidy");
  });
});
