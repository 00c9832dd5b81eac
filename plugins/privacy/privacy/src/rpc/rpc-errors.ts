import { type Compatibility, RpcError } from "@plinth/core";
import { RunTooLarge, RunTooLong } from "@plinth/core/evm";
import { EnclaveError, EnclaveUnreachable } from "@plinth/kit-enclave";
import { PrivateStateBehind } from "../execution/private-state-behind.js";
import { PrivateRejection, type SubmissionProblem } from "../transaction/private-rejection.js";

/**
 * Code of errors that the node itself raises for private transactions; the message distinguishes
 * them.
 */
const PRIVACY_CODE = -50100;
/** Code of errors that a manager names itself. */
const MANAGER_CODE = -50200;

const ENCLAVE = "Error communicating with enclave";
const DECODE = "Unable to decode the private signed raw transaction";

/** Messages of a manager that are passed to callers unchanged. */
const MANAGER_TEXTS = [
  "Recipient not found for key:",
  "The list of members in a privacy group should include self",
];
/** The wording of Orion. */
const ORION_WORD = /^(?:Node|Enclave|PrivacyGroup)[A-Z][A-Za-z]+$/;

const PROBLEMS: Readonly<Record<SubmissionProblem, readonly [code: number, text: string]>> = {
  "value not zero": [PRIVACY_CODE, "We cannot transfer ether in a private transaction yet."],
  "wrong chain id": [-32000, "Wrong chainId"],
  "chain id not supported": [-32000, "ChainId not supported"],
  "invalid signature": [-32002, "Invalid signature"],
  "nonce too low": [-32001, "Nonce too low"],
  "nonce too high": [-32006, "Nonce too high"],
  "unsupported restriction": [PRIVACY_CODE, "Unsupported private transaction type"],
  "private from is another": [PRIVACY_CODE, "Private from does not match enclave public key"],
  "flexible group id missing": [
    PRIVACY_CODE,
    "Private transactions to flexible privacy groups must use privacyGroupId",
  ],
  "flexible group missing": [PRIVACY_CODE, "Flexible Privacy group does not exist."],
  "flexible groups": [
    PRIVACY_CODE,
    "Flexible privacy groups are neither compared nor re-executed: their members have payloads of other blocks",
  ],
  "not a member": [PRIVACY_CODE, ENCLAVE],
  "legacy group id": [PRIVACY_CODE, DECODE],
};

/** An error with a custom message. */
export function privacyError(text: string): RpcError {
  return new RpcError(PRIVACY_CODE, text);
}

/** The bytes are not a private transaction. */
export function undecodable(): RpcError {
  return privacyError(DECODE);
}

/** The error for a rejected private transaction; the pool has its own errors. */
export function submissionError(error: unknown, { mode }: Pick<Compatibility, "mode">): unknown {
  if (!(error instanceof PrivateRejection)) return enclaveError(error);
  // Seen live.
  if (mode === "besu" && error.problem === "value not zero") return RpcError.internal();
  const [code, text] = PROBLEMS[error.problem];
  return new RpcError(code, text);
}

/** The error for a manager that refuses or is unreachable; rethrows other errors. */
export function enclaveError(error: unknown): unknown {
  if (error instanceof EnclaveUnreachable) return privacyError(ENCLAVE);
  if (error instanceof EnclaveError) return refusalOf(error.message);
  return behindError(error);
}

/**
 * The error for a caller whose private results are not available, or whose code takes too long;
 * rethrows other errors.
 */
export function behindError(error: unknown): unknown {
  if (error instanceof RunTooLarge) {
    return new RpcError(-32000, `execution aborted: ${error.message}`);
  }
  if (error instanceof RunTooLong) {
    return new RpcError(-32000, `execution aborted (timeout = ${error.maxMs / 1000}s)`);
  }
  return error instanceof PrivateStateBehind ? privacyError(error.message) : error;
}

function refusalOf(body: string): RpcError {
  const text = textOf(body);
  const isKnown = MANAGER_TEXTS.includes(text) || ORION_WORD.test(text);
  return isKnown ? new RpcError(MANAGER_CODE, text) : privacyError(ENCLAVE);
}

/** The message of a manager: a member of a JSON object, or the text without the key in it. */
function textOf(body: string): string {
  try {
    const { error } = Object(JSON.parse(body));
    if (typeof error === "string") return error;
  } catch {
    // Plain text, as Tessera responds.
  }
  const end = body.lastIndexOf("=");
  const start = body.slice(0, Math.max(end, 0)).lastIndexOf(" ");
  return end > 0 && start > 0 ? body.slice(0, start) + body.slice(end + 1) : body;
}
