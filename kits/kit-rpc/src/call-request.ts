import { type Codec, DecodeError, type Hash, t } from "@plinth/core";
import type { CallRequest } from "@plinth/core/query";
import { authorization } from "./authorization.js";

const TEXT = "Invalid call params";

/** The common fields of a call and a transaction to be created. */
export const requestFields = {
  to: t.optional(t.address),
  data: t.optional(t.data),
  input: t.optional(t.data),
  value: t.optional(t.wei, 0n),
  gas: t.optional(t.gas),
  gasPrice: t.optional(t.wei),
  maxFeePerGas: t.optional(t.wei),
  maxPriorityFeePerGas: t.optional(t.wei),
};

/** A versioned blob hash. */
const versionedHash: Codec<Hash> = {
  ...t.hash,
  decode(json, path = "") {
    const hash = t.hash.decode(json, path);
    if (hash.startsWith("0x01")) return hash;
    throw new DecodeError(path, "a hash that starts with 0x01", TEXT);
  },
};

const fields = t.object({
  from: t.optional(t.address),
  ...requestFields,
  maxFeePerBlobGas: t.optional(t.wei),
  blobVersionedHashes: t.optional(t.array(versionedHash)),
  accessList: t.optional(t.array(t.object({ address: t.address, storageKeys: t.array(t.hash) }))),
  authorizationList: t.optional(t.array(authorization)),
  strict: t.optional(t.boolean),
});

/** A call object; `data` and `input` are synonyms. */
export const callRequest: Codec<CallRequest> = t.withText(
  {
    decode(json, path = "", reading) {
      const request = fields.decode(json, path, reading);
      const { data, input } = request;
      if (data !== undefined && input !== undefined && Buffer.compare(data, input) !== 0) {
        throw new DecodeError(path, "data and input to be equal");
      }
      // Field by field: a spread costs more than the rest of a small call.
      return {
        from: request.from,
        to: request.to,
        data: data ?? input ?? new Uint8Array(),
        value: request.value,
        gas: request.gas,
        gasPrice: request.gasPrice,
        maxFeePerGas: request.maxFeePerGas,
        maxPriorityFeePerGas: request.maxPriorityFeePerGas,
        maxFeePerBlobGas: request.maxFeePerBlobGas,
        blobVersionedHashes: request.blobVersionedHashes,
        accessList: request.accessList,
        authorizationList: request.authorizationList,
        strict: request.strict,
      };
    },
    encode: ({ data, ...request }) => encodeFields({ ...request, input: data }),
    schema: fields.schema,
  },
  TEXT,
);

function encodeFields(request: Omit<CallRequest, "data"> & { readonly input: Uint8Array }) {
  const missing = {
    from: undefined,
    to: undefined,
    data: undefined,
    gas: undefined,
    gasPrice: undefined,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    maxFeePerBlobGas: undefined,
    blobVersionedHashes: undefined,
    accessList: undefined,
    authorizationList: undefined,
    strict: undefined,
  };
  return fields.encode({ ...missing, ...request });
}
