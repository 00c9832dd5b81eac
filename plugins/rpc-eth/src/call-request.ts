import { type CallRequest, type Codec, DecodeError, t } from "@plinth/core";

const TEXT = "Invalid call params";

/** What a call and a transaction that is to be made have in common. */
export const requestFields = {
  to: t.optional(t.address),
  data: t.optional(t.data),
  input: t.optional(t.data),
  value: t.optional(t.quantity, 0n),
  gas: t.optional(t.quantity),
  gasPrice: t.optional(t.quantity),
  maxFeePerGas: t.optional(t.quantity),
  maxPriorityFeePerGas: t.optional(t.quantity),
};

const fields = t.object({
  from: t.optional(t.address),
  ...requestFields,
  strict: t.optional(t.boolean, false),
});

/** A call object; `data` and `input` are two names of one thing. */
export const callRequest: Codec<CallRequest> = {
  decode(json, path = "", reading) {
    try {
      const { data, input, ...request } = fields.decode(json, path, reading);
      if (data !== undefined && input !== undefined && Buffer.compare(data, input) !== 0) {
        throw new DecodeError(path, "data and input to be the same", TEXT);
      }
      return { ...request, data: data ?? input ?? new Uint8Array() };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new DecodeError(error.path, error.expected, TEXT);
    }
  },
  encode: (request) => fields.encode({ ...request, input: undefined }),
  schema: fields.schema,
};
