import { type Codec, DecodeError, type Network, RpcError } from "@plinth/core";
import { type Enode, InvalidEnode, parseEnode } from "@plinth/core/network";

/** The URL of a node, not validated yet: anything but a list or an object is converted to text. */
export const enodeParam: Codec<string> = {
  decode(json, path = "") {
    if (["string", "number", "boolean"].includes(typeof json)) return String(json);
    throw new DecodeError(path, "the URL of a node", "Invalid enode params");
  },
  encode: (enode) => enode,
  schema: { type: "string", format: "uri" },
};

/** Parses the URL of a node; of several faults, reports the one that clients expect first. */
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
