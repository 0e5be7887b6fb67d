import { describe, expect, it } from "vitest";
import { classifyError } from "../../pipeline/transform/error-class.js";

const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  rate_limit: [
    "429: quota exceeded for requests per minute",
    "Rate limit exceeded: free-models-per-day. Add 10 credits to get 1000 free requests per day",
    "429 rate limited, retry in 12s",
    '429 {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization\'s rate limit of 40,000 input tokens per minute"}}',
    "429: Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 20000, Requested 12000.",
    "429 Too Many Requests",
    "ThrottlingException: Too many requests, please wait before trying again.",
    '{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}',
    "429 status code (no body)",
  ],
  overloaded: [
    "503 Service is too busy, please try another provider for now",
    "server busy, please try again. maximum pending requests exceeded",
    '529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    "Overloaded",
    "503 The model is overloaded. Please try again later.",
    "The engine is currently overloaded, please try again later",
    "503: This model is currently experiencing high demand.",
  ],
  auth: [
    "ExpiredTokenException: The security token included in the request is expired",
    "400 API key expired. Please renew the API key.",
    "IDE token expired: unauthorized: token expired",
    '401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    "401 Incorrect API key provided: sk-x.",
    "No API key found for anthropic",
    '403 {"error":{"message":"Country not supported"}}',
    "400 API key not valid. Please pass a valid API key.",
    "UnrecognizedClientException: The security token included in the request is invalid.",
    "OAuth token has expired",
  ],
  quota: [
    "403 Key limit exceeded (total limit).",
    "429 You've used up your monthly premium request quota",
    "403 Your newly created team doesn't have any credits yet.",
    "402 Insufficient Balance",
    "429 You exceeded your current quota, please check your plan and billing details.",
    "400 Your credit balance is too low to access the Anthropic API.",
    "402 Payment Required",
    '402: {"message":"This request requires more credits, or fewer max_tokens."}',
    "400 bad request: you are out of extra usage",
    "insufficient_quota",
    "You've hit your usage limit. Upgrade to Pro or try again in 2 days.",
  ],
  context_length: [
    "400 input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
    "400 prompt token count of 150000 exceeds the limit of 128000",
    "400 Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "400 prompt is too long: 213423 tokens > 200000 maximum",
    "400 This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    "Your input exceeds the context window of this model.",
    "400 The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "413 Payload Too Large",
    "400 Input is too long for requested model.",
    "400 the request exceeds the available context size, try increasing it",
  ],
  network: [
    "Unable to connect. Is the computer able to access the url?",
    "Was there a typo in the url or port?",
    "getaddrinfo EAI_AGAIN api.openai.com",
    "Connection error.",
    "connect ECONNREFUSED 127.0.0.1:11434",
    "read ECONNRESET",
    "getaddrinfo ENOTFOUND api.anthropic.com",
    "fetch failed",
    "terminated",
    "Request timed out.",
    "UND_ERR_SOCKET: other side closed",
    "stream closed",
    "unable to verify the first certificate",
    "408 Request Timeout",
  ],
  server: [
    "ModelStreamErrorException: The model stream errored",
    "Provider returned error",
    "500 llama runner process has terminated: exit status 2",
    '500: {"message":"upstream exploded","type":"mock_error","code":null}',
    "500 upstream",
    '{"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
    "502 Bad Gateway",
    "503 upstream connect error or disconnect/reset before headers",
    "InternalServerException: The system encountered an unexpected error",
    "An error occurred while processing your request. Internal error (code 500)",
  ],
  aborted: ["Request was aborted.", "AbortError: This operation was aborted"],
  other: [
    "400 max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens",
    "404 No endpoints found that support tool use.",
    "400 the model does not support tools",
    "",
    "400 messages.236: `tool_use` ids were found without `tool_result` blocks",
    "404 model not found",
    "Cannot read properties of undefined (reading 'text')",
  ],
};

describe("classifyError", () => {
  it.each(
    Object.entries(MESSAGES).flatMap(([errorClass, messages]) =>
      messages.map((message) => [errorClass, message] as const),
    ),
  )("%s: %s", (errorClass, message) => {
    expect(classifyError(message, "error")).toBe(errorClass);
  });

  it("goes by the stop reason where the user gave up", () => {
    expect(classifyError("429 rate limited", "aborted")).toBe("aborted");
    expect(classifyError("", "aborted")).toBe("aborted");
  });
});
