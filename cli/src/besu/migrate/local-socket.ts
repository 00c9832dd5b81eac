import { join } from "node:path";
import type { KeptOption } from "./translate-options.js";

const ENABLED = "Xrpc-ipc-enabled";
const API = "Xrpc-ipc-api";
/** The namespace that `plinth status` queries first. */
const STATUS_API = "PLINTH";
const APIS: readonly string[] = ["ETH", "NET", "WEB3", STATUS_API];
/** Maximum path length of a socket on most systems. */
const MAX_PATH_BYTES = 103;

/**
 * Enables the socket in the data folder, where `plinth status` finds all it queries; no port is
 * opened for it.
 */
export function withLocalSocket(
  options: readonly KeptOption[],
  dataPath: string,
): readonly KeptOption[] {
  const others = options.filter(({ name }) => name !== ENABLED && name !== API);
  const given = options.find(({ name }) => name === API)?.value;
  const hasPath = options.some(({ name }) => name === "Xrpc-ipc-path");
  const isTooLong = Buffer.byteLength(join(dataPath, "plinth.ipc")) > MAX_PATH_BYTES;
  if (isTooLong && !hasPath) return options;
  const apis = Array.isArray(given) ? given.map(String) : APIS;
  return [
    ...others,
    { name: ENABLED, value: true, isPath: false },
    { name: API, value: [...new Set([...apis, STATUS_API])], isPath: false },
  ];
}
