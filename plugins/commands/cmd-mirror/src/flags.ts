import { type OptionValues, option, optionKinds } from "@plinth/core";
import { problemOfHeader, problemOfUrl } from "@plinth/plugin-dev-fork/api";

const NUMBER = /^\d{1,15}$/;

/** The flags of `mirror`. */
export const flags = {
  from: option.text({
    summary: "JSON-RPC address of a node of the network.",
    validate: problemOfUrl,
  }),
  header: option.list({
    summary: "HTTP headers of requests to the node, such as 'Authorization: Bearer …'.",
    of: optionKinds.text(),
    validate: (lines) => lines.map(problemOfHeader).find((problem) => problem !== undefined),
  }),
  fromBlock: option.text({
    summary:
      "The first block to execute, a number or 'latest', in an empty folder: the state before it is read from the node. By default block 1, on the state of the genesis file.",
    validate: (text) => problemOfBlock(text, "latest"),
  }),
  blocks: option.integer({ summary: "Ends after so many blocks.", min: 1 }),
  until: option.text({
    summary: "Ends with this block: a number, or 'head' for the latest block at the start.",
    validate: (text) => problemOfBlock(text, "head"),
  }),
  stopAtFirst: option.flag({ summary: "Ends with the first block that has a difference." }),
  overrideCode: option.map({
    summary:
      "Code of contracts by address, in hex or a file with hex, in place of that of the network.",
    of: optionKinds.text(),
  }),
  cloneLimit: option.integer({
    summary: "Maximum size of the state that --from-block reads, in GiB.",
    default: 2,
    min: 1,
    max: 1024,
  }),
  json: option.flag({ summary: "Prints one JSON object per line." }),
};

/** The parsed flags. */
export type MirrorFlags = OptionValues<typeof flags>;

function problemOfBlock(text: string, word: string): string | undefined {
  return text === word || NUMBER.test(text) ? undefined : `expected a block number or '${word}'`;
}
