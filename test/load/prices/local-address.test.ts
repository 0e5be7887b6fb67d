import { describe, expect, it } from "vitest";
import { isLocalAddress } from "../../../pipeline/load/prices/local-address.js";

describe("isLocalAddress", () => {
  it.each([
    "http://localhost:11434/v1",
    "localhost:8080",
    "http://127.0.0.1:1234",
    "http://127.8.9.10/v1",
    "http://0.0.0.0:8000",
    "http://[::1]:8080/v1",
    "http://[fd12:3456::1]:8080",
    "http://10.1.2.3/v1",
    "http://172.16.0.1",
    "http://172.31.255.255",
    "http://192.168.1.20:8000/v1",
    "http://gpu-box.local:8000",
    "http://GPU-BOX.LOCAL./v1",
    "http://ollama:11434",
    "http://host.docker.internal:1234/v1",
    "unix:/run/llama.sock",
    "http+unix://%2Frun%2Fllama.sock/v1",
  ])("takes %s for local", (baseUrl) => {
    expect(isLocalAddress(baseUrl)).toBe(true);
  });

  it.each([
    "https://api.anthropic.com",
    "https://api.openai.com/v1",
    "http://172.15.0.1",
    "http://172.32.0.1",
    "http://11.0.0.1",
    "http://[2606:4700::1111]/v1",
    "https://localhost.example.com",
    "https://10.example.com",
    "https://127.example.com/v1",
    "https://{location}-aiplatform.googleapis.com",
    "",
  ])("takes %s for remote", (baseUrl) => {
    expect(isLocalAddress(baseUrl)).toBe(false);
  });
});
