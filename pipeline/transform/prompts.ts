/** A prompt as it was typed. */
export interface Prompt {
  readonly typed: string;
  readonly skillName: string | null;
}

const SKILL_START = /^<skill name="([^"\n]+)" location="[^"\n]*">\n/;
const SKILL_END = "\n</skill>";
const OLD_SKILL_START = /^Skill location: ([^\n]+)\nReferences are relative to [^\n]*\n/;
const OLD_ARGUMENTS = "\n\n---\n\nUser: ";

/**
 * Undoes what Pi made of a typed `/skill:name args` (pi-format section 10). Prompt templates leave no mark
 * and stay expanded.
 */
export function readPrompt(text: string): Prompt {
  return readSkill(text) ?? readOldSkill(text) ?? { typed: text, skillName: null };
}

/** Pi 0.50 and later. */
function readSkill(text: string): Prompt | null {
  const name = SKILL_START.exec(text)?.[1];
  if (name === undefined) return null;
  const end = lastSkillEnd(text);
  return end === -1 ? null : skillCall(name, text.slice(end + SKILL_END.length));
}

/** The last line that closes a skill: a skill's own text can show such a line, arguments hardly do. */
function lastSkillEnd(text: string): number {
  for (let end = text.lastIndexOf(SKILL_END); end > 0; end = text.lastIndexOf(SKILL_END, end - 1)) {
    const after = end + SKILL_END.length;
    if (after === text.length || text[after] === "\n") return end;
  }
  return -1;
}

/** Pi 0.43 to 0.49: no tag, and the skill's name is that of its folder or file. */
function readOldSkill(text: string): Prompt | null {
  const path = OLD_SKILL_START.exec(text)?.[1];
  if (path === undefined) return null;
  const args = text.lastIndexOf(OLD_ARGUMENTS);
  return skillCall(skillNameOf(path), args === -1 ? "" : text.slice(args + OLD_ARGUMENTS.length));
}

function skillNameOf(path: string): string {
  const parts = path.trim().split(/[/\\]/);
  const file = parts.at(-1) ?? path;
  return file === "SKILL.md" ? (parts.at(-2) ?? file) : file.replace(/\.md$/, "");
}

function skillCall(name: string, args: string): Prompt {
  const trimmed = args.trim();
  return { typed: trimmed === "" ? `/skill:${name}` : `/skill:${name} ${trimmed}`, skillName: name };
}
