import { EnclaveError, keyFromBase64 } from "@plinth/kit-enclave";
import { invalidOption } from "./option-errors.js";

/** The bytes of a public key or of a group id that an option names. */
export function readKey(text: string, option: string): Uint8Array {
  try {
    return keyFromBase64(text, "value");
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error;
    const problem = error.message.replace(/^value: /, "");
    throw invalidOption(
      option,
      `"${text}": ${problem}; right is 32 bytes in base64, 44 characters`,
    );
  }
}
