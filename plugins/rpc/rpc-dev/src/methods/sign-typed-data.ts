import { type Codec, DecodeError, method, parseJson, RpcError, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import { signAs } from "../sign/sign.js";
import { hashTypedData, type TypedData } from "../sign/typed-data.js";

const form = t.object({
  types: t.record(t.array(t.object({ name: t.text, type: t.text }))),
  primaryType: t.text,
  domain: t.optional(t.record(t.json), {}),
  message: t.optional(t.record(t.json), {}),
});

/** An object, or its JSON as text. */
const typedData: Codec<TypedData> = {
  decode(json, path = "") {
    return form.decode(typeof json === "string" ? parse(json, path) : json, path);
  },
  encode: (value) => form.encode(value),
  schema: { type: ["object", "string"] },
};

/** `eth_signTypedData_v4`: signs data with its types (EIP-712). */
export const signTypedData = (holder: DevHolder) =>
  method({
    summary: "Signs typed data with the key of an unlocked account (EIP-712).",
    params: { address: t.address, data: typedData },
    result: t.text,
    example: {
      params: [
        "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
        {
          types: { Note: [{ name: "text", type: "string" }] },
          primaryType: "Note",
          domain: { name: "Notes", chainId: 1337 },
          message: { text: "hello" },
        },
      ],
      result: `0x${"ab".repeat(65)}`,
    },
    handle({ address, data }) {
      const { current } = holder;
      return signAs(address, hashOrRefuse(data), current);
    },
  });

function hashOrRefuse(data: TypedData): Uint8Array {
  try {
    return hashTypedData(data);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw RpcError.invalidParams(`Invalid params: data.${error.message}`);
  }
}

function parse(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new DecodeError(path, "typed data, or its JSON");
  }
}
