import { command, getCrypto, type Hash, option, PlinthError, t, toHex } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { readKeyFile } from "@plinth/plugin-keys-file/api";
import { signPrivateTransaction } from "@plinth/plugin-privacy/api";
import { findReceipt } from "./find-receipt.js";
import { endOfWait, nodeFlags, receiptFlags } from "./flags.js";
import { NodeLink } from "./node-link.js";
import { missingOption } from "./option-errors.js";
import { partyFlags, readParties } from "./parties.js";
import { dataFlags, readData } from "./read-data.js";
import { writeReceipt } from "./write-receipt.js";

const flags = {
  ...nodeFlags,
  keyFile: option.path({ summary: "File with the private key that signs, 64 hex digits." }),
  ...partyFlags,
  to: option.address({ summary: "Address of the contract; one is created when left out." }),
  ...dataFlags,
  nonce: option.integer({
    summary: "Private nonce of the sender in the group; the next one when left out.",
    min: 0,
  }),
  gas: option.integer({
    summary: "Gas of the marker transaction; it does not limit the private one.",
    default: 3_000_000,
    min: 21_000,
  }),
  gasPrice: option.wei({ summary: "Gas price of the marker transaction, in wei.", default: 0n }),
  signOnly: option.flag({
    summary: "Writes the signed transaction, for eea_sendRawTransaction, and sends nothing.",
  }),
  ...receiptFlags,
};

/** `privacy send`: signs a private transaction and sends it. */
export const send = command({
  id: "privacy send",
  summary:
    "Signs a private transaction, sends it and writes the hash of its marker; exit code 1 when it is seen to fail.",
  examples: [
    "plinth --data-path=data privacy send --key-file=account.key --private-for=Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs= --data-file=Store.bin --wait",
    "plinth privacy send --url=http://127.0.0.1:8545 --key-file=account.key --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w= --to=0xebf56429e6500e84442467292183d4d621359838 --data=0x3fa4f245",
  ],
  flags,
  async run({ flags: given, io, dataPath, signal }) {
    if (given.keyFile === undefined) throw missingOption("--key-file=<PATH>");
    const key = await readKeyFile(given.keyFile);
    const data = await readData(given, io);
    const link = await NodeLink.open(given.url, { dataPath, signal });
    const { groupId, ...parties } = await readParties(given, { io, link });
    const { addressOf, publicKeyOf } = getCrypto();
    const sender = addressOf(publicKeyOf(key));
    const signed = signPrivateTransaction(
      {
        nonce:
          given.nonce === undefined
            ? await link.ask("priv_getTransactionCount", t.quantity, [sender, toBase64(groupId)])
            : BigInt(given.nonce),
        gasPrice: given.gasPrice,
        gasLimit: BigInt(given.gas),
        to: given.to,
        value: 0n,
        data,
        chainId: await link.ask("eth_chainId", t.optional(t.quantity)),
        restriction: "restricted",
        ...parties,
      },
      key,
    );
    const raw = toHex(signed);
    if (given.signOnly) {
      await io.write(raw);
      return 0;
    }
    const hash = await link.ask("eea_sendRawTransaction", t.hash, [raw]);
    // At once, so that the hash is known to an operator who ends the wait.
    if (!(given.wait && given.json)) await io.write(hash);
    if (!given.wait) return 0;
    try {
      const found = await findReceipt(link, hash, { until: endOfWait(given), signal });
      return await writeReceipt(found, { hash, link, io, json: given.json });
    } catch (error) {
      throw error instanceof PlinthError ? unknownReceipt(hash, error) : error;
    }
  },
});

/** The transaction is on its way, whatever the node says now: to send it once more would be wrong. */
function unknownReceipt(hash: Hash, cause: PlinthError): PlinthError {
  return new PlinthError("RECEIPT_UNKNOWN", {
    message: `The private transaction was sent, its marker is ${hash}; what became of it is not known: ${cause.message}`,
    cause,
  });
}
