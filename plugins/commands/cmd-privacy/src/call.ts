import { command, option, parseHex, t, toHex } from "@plinth/core";
import { describeRevert } from "./describe-receipt.js";
import { nodeFlags } from "./flags.js";
import { NodeLink } from "./node-link.js";
import { NodeRefusal } from "./node-refusal.js";
import { missingOption } from "./option-errors.js";
import { readKey } from "./read-key.js";

const DONE = 0;
const FAILED = 1;
/** RPC error code of code that reverted with data, and message for code that failed otherwise. */
const REVERTED = -32000;
const FAILURE = "Private transaction failed";

const flags = {
  ...nodeFlags,
  group: option.text({ summary: "Id of the group, in base64." }),
  to: option.address({ summary: "Address of the contract." }),
  data: option.hex({ summary: "Call data.", default: new Uint8Array() }),
  from: option.address({ summary: "Address of the caller; zero by default." }),
  block: option.text({ summary: "Block number or tag after which to call.", default: "latest" }),
};

/** `privacy call`: executes a private call without changing state. */
export const call = command({
  id: "privacy call",
  summary: "Calls a private contract and prints its output; exit code 1 if it reverts.",
  examples: [
    "plinth --data-path=data privacy call --group=DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w= --to=0xebf56429e6500e84442467292183d4d621359838 --data=0x3fa4f245",
  ],
  flags,
  uses: {},
  async run({ flags: given, io, dataPath, signal }) {
    const { group, to, data, from, block } = given;
    if (group === undefined) throw missingOption("--group=<ID>");
    if (to === undefined) throw missingOption("--to=<ADDRESS>");
    readKey(group, "group");
    const link = await NodeLink.open(given, { dataPath, signal });
    const message = { to, data: toHex(data), ...(from === undefined ? {} : { from }) };
    try {
      const result = await link.ask("priv_call", t.optional(t.data), [group, message, block]);
      await io.write(result === undefined ? `Unknown block ${block}.` : toHex(result));
      return result === undefined ? FAILED : DONE;
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const text = findFailure(error);
      if (text === undefined) throw error;
      await io.write(text);
      return FAILED;
    }
  },
});

/** The failure of the code; `undefined` if the node refuses to run it. */
function findFailure({ rpcCode, reason, data }: NodeRefusal): string | undefined {
  const bytes = typeof data === "string" ? parseHex(data) : undefined;
  if (rpcCode === REVERTED && bytes !== undefined) return `Reverted with ${describeRevert(bytes)}`;
  return reason.startsWith(FAILURE) ? "Failed, or reverted without a reason." : undefined;
}
