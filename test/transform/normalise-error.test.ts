import { describe, expect, it } from "vitest";
import { normaliseError } from "../../pipeline/transform/normalise-error.js";

describe("normaliseError", () => {
  it.each([
    ["429 rate limited, retry in 12s", "429 rate limited, retry in <n>"],
    ["Rate limit reached, try again in 1m30.5s", "Rate limit reached, try again in <n>"],
    ["prompt is too long: 213,423 tokens > 200000 maximum", "prompt is too long: <n> tokens > <n> maximum"],
    ["connect ECONNREFUSED 127.0.0.1:11434", "connect ECONNREFUSED <address>"],
    ["connect ECONNREFUSED ::1:11434", "connect ECONNREFUSED <address>"],
    ["getaddrinfo ENOTFOUND api.anthropic.com", "getaddrinfo ENOTFOUND <address>"],
    ["see https://status.example.com/incidents/42 for more", "see <url> for more"],
    ["request 0f3b1c9a-1111-4222-8333-444455556666 failed", "request <id> failed"],
    ["Request ID: req_011CSHoEeqs5C35K2UUqR7Fy", "Request ID: <id>"],
    ["no result for toolu_019tYDrbzifrra2KYzmYqWvk", "no result for <id>"],
    ["in organization org-Ab3dEf6hIj9k on tokens", "in organization <id> on tokens"],
    ["until 2026-01-05T09:00:01.123Z", "until <time>"],
    ["model claude-sonnet-4-5-20250929 not found", "model claude-sonnet-4-5 not found"],
    ["model gpt-4o-2024-08-06 not found", "model gpt-4o not found"],
    ["model claude-opus-5 not found", "model claude-opus-5 not found"],
    ["at stream.ts:120:7\n   and\tmore ", "at stream.ts:<n>:<n> and more"],
    ["  429   too many  ", "429 too many"],
    ["", ""],
    ["500", "500"],
  ])("%j", (message, normal) => {
    expect(normaliseError(message)).toBe(normal);
  });

  it("gives one text for one cause, however the version of Pi wraps it", () => {
    const causes = [
      "400 bad request: you are out of extra usage",
      '400: {"message":"bad request: you are out of extra usage","type":"mock_error","code":null}',
      '400 {"type":"error","error":{"type":"x","message":"bad request: you are out of extra usage"},"request_id":"req_1"}',
    ];
    expect(new Set(causes.map(normaliseError))).toEqual(
      new Set(["400 bad request: you are out of extra usage"]),
    );
  });

  it("keeps apart what has another status", () => {
    expect(normaliseError("500 upstream")).not.toBe(normaliseError("502 upstream"));
  });

  it("is quick on long messages, whatever they hold", () => {
    for (const unit of ["a", "1", "a-", "a.", "a1", " ", "<", "[:", "0f-"]) {
      const start = performance.now();
      normaliseError(unit.repeat(1_000_000));
      expect(performance.now() - start).toBeLessThan(500);
    }
  });
});
