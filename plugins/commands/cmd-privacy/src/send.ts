import { command, option, toHex } from "@plinth/core";
import { nodeFlags } from "./flags.js";
import { NodeLink } from "./node-link.js";
import { partyFlags, readParties } from "./parties.js";
import { dataFlags, readData } from "./read-data.js";
import { readSigner, sendFlags, sendSigned, signPrivate } from "./send-private.js";

const { keyFile, nonce, gas, gasPrice, ...receiptFlags } = sendFlags;
const flags = {
  ...nodeFlags,
  keyFile,
  ...partyFlags,
  to: option.address({ summary: "Address of the contract; by default one is created." }),
  ...dataFlags,
  nonce,
  gas,
  gasPrice,
  signOnly: option.flag({
    summary: "Prints the signed transaction, for eea_sendRawTransaction, and sends nothing.",
  }),
  ...receiptFlags,
};

/** `privacy send`: signs a private transaction and sends it. */
export const send = command({
  id: "privacy send",
  summary:
    "Signs a private transaction, sends it and prints the hash of its marker; exit code 1 if it is known to fail.",
  examples: [
    "plinth --data-path=data privacy send --key-file=account.key --private-for=Ko2bVqD+nNlNYL5EE7y3IdOnviftjiizpjRt+HTuFBs= --data-file=Store.bin --wait",
    "plinth privacy send --url=http://127.0.0.1:8545 --key-file=account.key --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w= --to=0xebf56429e6500e84442467292183d4d621359838 --data=0x3fa4f245",
  ],
  flags,
  uses: {},
  async run({ flags: given, io, dataPath, signal }) {
    const key = await readSigner(given);
    const data = await readData(given, io);
    const link = await NodeLink.open(given, { dataPath, signal });
    const parties = await readParties(given, { io, link });
    const signed = await signPrivate({ key, parties, to: given.to, data }, given, link);
    if (given.signOnly) {
      await io.write(toHex(signed));
      return 0;
    }
    return sendSigned(signed, given, { link, io, signal });
  },
});
