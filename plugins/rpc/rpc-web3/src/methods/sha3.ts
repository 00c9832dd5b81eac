import { type Codec, DecodeError, loadCrypto, method, t } from "@plinth/core";

/** Data, which starts with `0x` unless it is empty. */
const dataOrEmpty: Codec<Uint8Array> = {
  ...t.data,
  decode(json, path = "") {
    const isPlain = typeof json === "string" && json !== "" && !json.startsWith("0x");
    if (isPlain) throw new DecodeError(path, "hex data such as 0x00ff", "Invalid data params");
    return t.data.decode(json, path);
  },
};

/** `web3_sha3`: Keccak-256, despite the name. */
export const sha3 = method({
  summary: "Returns the Keccak-256 hash of the data.",
  params: { data: dataOrEmpty },
  exactParams: true,
  result: t.data,
  example: {
    params: ["0x68656c6c6f"],
    result: "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8",
  },
  async handle({ data }) {
    const { keccak256 } = await loadCrypto();
    return keccak256(data);
  },
});
