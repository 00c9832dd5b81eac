import { type Codec, loadCrypto, method, t } from "@plinth/core";

/** Data, where the empty text means no bytes. */
const dataOrEmpty: Codec<Uint8Array> = {
  ...t.data,
  decode: (json, path) => (json === "" ? new Uint8Array() : t.data.decode(json, path)),
};

/** `web3_sha3`: Keccak-256, whatever the name says. */
export const sha3 = method({
  summary: "Returns the Keccak-256 hash of the data.",
  params: { data: dataOrEmpty },
  exactParams: true,
  result: t.data,
  async handle({ data }) {
    const { keccak256 } = await loadCrypto();
    return keccak256(data);
  },
});
