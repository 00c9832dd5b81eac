import { method, RpcError, t } from "@plinth/core";

/** A method of other development chains that is not supported; the error states why. */
export const refused = (reason: string) =>
  method({
    summary: `Refused: ${reason}.`,
    params: { first: t.optional(t.json), second: t.optional(t.json), third: t.optional(t.json) },
    result: t.json,
    example: { params: [], result: null },
    handle() {
      throw new RpcError(-32004, `not supported: ${reason}`);
    },
  });
