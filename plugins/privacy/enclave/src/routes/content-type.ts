import { EnclaveError } from "@plinth/kit-enclave";
import type { Call } from "../http/http-service.js";

const CONTENT_TYPES = /^application\/(?:vnd\.(?:orion|tessera)[\w.-]*\+)?json(?:;|$)/i;

/** Web pages can send other content types cross-origin without a preflight request. */
export function verifyContentType({ headers }: Call): void {
  if (CONTENT_TYPES.test(headers["content-type"] ?? "")) return;
  throw new EnclaveError(500, "HTTP 415 Unsupported Media Type");
}
