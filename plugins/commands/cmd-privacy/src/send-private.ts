import {
  type Address,
  type CommandIo,
  getCrypto,
  type Hash,
  type OptionValues,
  option,
  PlinthError,
  t,
  toHex,
} from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { readKeyFile } from "@plinth/plugin-keys-file/api";
import { signPrivateTransaction } from "@plinth/plugin-privacy/api";
import { findReceipt } from "./find-receipt.js";
import { endOfWait, receiptFlags } from "./flags.js";
import type { NodeLink } from "./node-link.js";
import { missingOption } from "./option-errors.js";
import type { NamedParties } from "./parties.js";
import { writeReceipt } from "./write-receipt.js";

/** How a private transaction is signed and sent. */
export const sendFlags = {
  keyFile: option.path({ summary: "File with the signing private key, 64 hex digits." }),
  nonce: option.integer({
    summary: "Private nonce of the sender in the group; by default the next one.",
    min: 0,
  }),
  gas: option.integer({
    summary: "Gas of the marker transaction; it does not limit the private one.",
    default: 3_000_000,
    min: 21_000,
  }),
  gasPrice: option.wei({ summary: "Gas price of the marker transaction, in wei.", default: 0n }),
  ...receiptFlags,
};

type SendFlags = OptionValues<typeof sendFlags>;

/** The private key of `--key-file`, which is required. */
export async function readSigner({ keyFile }: Pick<SendFlags, "keyFile">): Promise<Uint8Array> {
  if (keyFile === undefined) throw missingOption("--key-file=<PATH>");
  return readKeyFile(keyFile);
}

/** Signs a private transaction for `eea_sendRawTransaction`. */
export async function signPrivate(
  message: {
    readonly key: Uint8Array;
    readonly parties: NamedParties;
    readonly to: Address | undefined;
    readonly data: Uint8Array;
  },
  given: Pick<SendFlags, "nonce" | "gas" | "gasPrice">,
  link: NodeLink,
): Promise<Uint8Array> {
  const { key, to, data } = message;
  const { groupId, ...parties } = message.parties;
  const { addressOf, publicKeyOf } = getCrypto();
  const sender = addressOf(publicKeyOf(key));
  return signPrivateTransaction(
    {
      nonce:
        given.nonce === undefined
          ? await link.ask("priv_getTransactionCount", t.quantity, [sender, toBase64(groupId)])
          : BigInt(given.nonce),
      gasPrice: given.gasPrice,
      gasLimit: BigInt(given.gas),
      to,
      value: 0n,
      data,
      chainId: await link.ask("eth_chainId", t.optional(t.quantity)),
      restriction: "restricted",
      ...parties,
    },
    key,
  );
}

/**
 * Sends a signed private transaction, prints the hash of its marker, and its receipt on request.
 */
export async function sendSigned(
  signed: Uint8Array,
  given: Pick<SendFlags, "wait" | "timeout" | "json">,
  {
    link,
    io,
    signal,
  }: { readonly link: NodeLink; readonly io: CommandIo; readonly signal: AbortSignal },
): Promise<number> {
  const hash = await link.ask("eea_sendRawTransaction", t.hash, [toHex(signed)]);
  // At once, so that an operator who aborts the wait has the hash.
  if (!(given.wait && given.json)) await io.write(hash);
  if (!given.wait) return 0;
  try {
    const found = await findReceipt(link, hash, { until: endOfWait(given), signal });
    return await writeReceipt(found, { hash, link, io, json: given.json });
  } catch (error) {
    throw error instanceof PlinthError ? unknownReceipt(hash, error) : error;
  }
}

/** The transaction is sent, regardless of the node's error now: sending it again would be wrong. */
function unknownReceipt(hash: Hash, cause: PlinthError): PlinthError {
  return new PlinthError("RECEIPT_UNKNOWN", {
    message: `The private transaction was sent, its marker is ${hash}; its result is unknown: ${cause.message}`,
    cause,
  });
}
