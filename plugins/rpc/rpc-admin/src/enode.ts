import { type Codec, DecodeError, type Network, RpcError } from "@plinth/core";
import { type Enode, InvalidEnode, parseEnode } from "@plinth/core/network";

/** The URL of a node, still to be checked: what is no list and no object is taken as text. */
export const enodeParam: Codec<string> = {
  decode(json, path = "") {
    if (["string", "number", "boolean"].includes(typeof json)) return String(json);
    throw new DecodeError(path, "the URL of a node", "Invalid enode params");
  },
  encode: (enode) => enode,
  schema: { type: "string", format: "uri" },
};

/** Reads the URL of a node; of several faults the one that clients know as the first is reported. */
export function readEnode(text: string, { allowsNames }: Pick<Network, "allowsNames">): Enode {
  try {
    return parseEnode(text, { allowsNames });
  } catch (error) {
    throw error instanceof InvalidEnode ? toRpcError(error) : error;
  }
}

function toRpcError({ problem, details }: InvalidEnode): RpcError {
  if (problem === "node-id") return new RpcError(-32000, String(details.reason));
  if (problem === "host-name") return new RpcError(-32100, "Enode DNS support is disabled");
  return RpcError.parseError();
}
