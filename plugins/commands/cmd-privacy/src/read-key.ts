import { EnclaveError, keyFromBase64 } from "@plinth/kit-enclave";
import { printable } from "@plinth/kit-rpc";
import { invalidOption } from "./option-errors.js";

/**
 * The bytes of a public key or of a group id in an option.
 *
 * `shown` is its description in an error: not the content of a file, which may be a private key by mistake.
 */
export function readKey(text: string, option: string, shown = printable(`"${text}"`)): Uint8Array {
  try {
    return keyFromBase64(text, option);
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error;
    throw invalidOption(
      option,
      `${shown} is not a key: expected 32 bytes in base64, 44 characters`,
    );
  }
}
