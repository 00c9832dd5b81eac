import { readFileSync } from "node:fs";
import { ConfigError, getCrypto, messageOf, parseHex } from "@plinth/core";
import { EnclaveError, fromBase64 } from "@plinth/kit-enclave";

/** The key of this node at its manager, in base64. */
export function readPublicKey(path: string): string {
  const text = read("privacy-public-key-file", path);
  try {
    fromBase64(text, "key");
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error;
    throw invalid("privacy-public-key-file", `${path} is not base64`);
  }
  if (text === "") throw invalid("privacy-public-key-file", `${path} is empty`);
  return text;
}

/** The key that signs markers. */
export function readMarkerKey(path: string): Uint8Array {
  const option = "privacy-marker-transaction-signing-key-file";
  const key = parseHex(read(option, path));
  if (key !== undefined && getCrypto().isPrivateKey(key)) return key;
  throw invalid(option, `${path} is not a private key of 64 hex digits`);
}

/** Markers of accounts without ether are valid only if gas is free. */
export function verifyFreeGas(minGasPrice: bigint, markerKey: Uint8Array | undefined): void {
  if (minGasPrice === 0n || markerKey !== undefined) return;
  throw new ConfigError("PRIVACY_OPTIONS_INVALID", {
    message:
      "Not a free gas network. --privacy-marker-transaction-signing-key-file must be specified and must be a funded account. Private transactions cannot be signed by random (non-funded) accounts in paid gas networks",
    option: "privacy-marker-transaction-signing-key-file",
  });
}

function read(option: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new ConfigError("PRIVACY_KEY_UNUSABLE", {
      message: `Problem with ${option}: ${messageOf(error)}`,
      option,
    });
  }
}

function invalid(option: string, problem: string): ConfigError {
  return new ConfigError("PRIVACY_KEY_UNUSABLE", {
    message: `Contents of ${option} invalid: ${problem}`,
    option,
  });
}
