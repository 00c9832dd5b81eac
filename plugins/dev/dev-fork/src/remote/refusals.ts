import { RemoteRefusal } from "./errors.js";

/** Unknown, or not enabled for this listener. */
const NO_METHOD = [-32601, -32604];
const INVALID_PARAMS = -32602;
/** Anvil names its methods as variants of an enumeration. */
const UNKNOWN_METHOD = /method not found|unknown variant/i;
/** What nodes and providers say of methods and tracers that they do not have, with other codes. */
const UNSUPPORTED =
  /not (supported|found|available|exist|enabled|implemented|whitelisted)|unsupported|unknown (method|tracer|variant)/i;

/** Whether an error means that the node does not have a method. */
export function isWithoutMethod({ rpcCode, reason }: RemoteRefusal): boolean {
  return NO_METHOD.includes(rpcCode) || UNKNOWN_METHOD.test(reason);
}

/** Whether an error means that the node will reject any such call. */
export function isUnsupported(error: unknown): boolean {
  if (!(error instanceof RemoteRefusal)) return false;
  const { rpcCode, reason } = error;
  return [...NO_METHOD, INVALID_PARAMS].includes(rpcCode) || UNSUPPORTED.test(reason);
}
