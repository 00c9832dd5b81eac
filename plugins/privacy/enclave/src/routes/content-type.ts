import { EnclaveError } from "@plinth/kit-enclave";
import type { Call } from "../http/http-service.js";

const CONTENT_TYPES = /^application\/(?:vnd\.(?:orion|tessera)[\w.-]*\+)?json(?:;|$)/i;

/** Pages of browsers may send other types to anyone without being asked. */
export function verifyContentType({ headers }: Call): void {
  if (CONTENT_TYPES.test(headers["content-type"] ?? "")) return;
  throw new EnclaveError(500, "HTTP 415 Unsupported Media Type");
}
