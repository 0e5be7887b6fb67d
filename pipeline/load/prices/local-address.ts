import { isIPv4 } from "node:net";

const LOCAL_NAME =
  /^(?:localhost|.*\.localhost|.*\.local|host\.docker\.internal|host\.containers\.internal)$/;
const LOCAL_IPV4 = /^(?:0\.0\.0\.0$|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.)/;
/** Loopback and unspecified, loopback mapped from IPv4, unique local and link-local addresses. */
const LOCAL_IPV6 = /^(?:::1?|::ffff:7f[\da-f]{2}:.*|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)$/;
const SOCKET = /^(?:(?:https?\+)?unix:|\/)/i;

/**
 * Whether a base URL leads to this machine or its local network: loopback and private addresses, `.local`
 * names, names without a dot (only a local network knows them), Docker's name of the host, sockets. A URL
 * that doesn't parse is not local.
 */
export function isLocalAddress(baseUrl: string): boolean {
  if (SOCKET.test(baseUrl)) return true;
  const host = hostOf(baseUrl);
  if (host === null) return false;
  if (host.startsWith("[")) return LOCAL_IPV6.test(host.slice(1, -1));
  if (isIPv4(host)) return LOCAL_IPV4.test(host);
  return LOCAL_NAME.test(host) || !host.includes(".");
}

/** The URL parser has lower-cased the host and brought IPv4 addresses to four numbers. */
function hostOf(baseUrl: string): string | null {
  const url = baseUrl.includes("://") ? baseUrl : `http://${baseUrl}`;
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/\.$/, "");
  return host === "" ? null : host;
}
