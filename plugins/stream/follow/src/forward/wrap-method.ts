import { type Call, type Codec, type Method, RpcError } from "@plinth/core";
import { RawResult } from "@plinth/core/rpc";
import type { SentCall } from "../source/source.js";
import { findReplacement } from "./replica-methods.js";

/** Calls a method of the source; resolves to its response. */
export type CallSource = (call: SentCall, signal: AbortSignal) => Promise<object>;

/** A parameter as it was received, with its value. */
interface Received {
  readonly json: unknown;
  readonly value: unknown;
}

const UNREADABLE = -32000;

/** A method as a replica has it; `undefined` if it is like on any node. */
export function wrapMethod(
  method: Method<unknown>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  callSource: CallSource,
): Method<unknown> | undefined {
  const fullName = `${namespace}_${name}`;
  const replace = findReplacement(namespace, fullName);
  if (replace === undefined) return undefined;
  const names = Object.keys(method.params);
  const handle = (given: Readonly<Record<string, unknown>>, call: Call) => {
    const received = names.map((key) => given[key] as Received | undefined);
    const sent = sentIn(method, received);
    const values = names.map((key, index) => [key, received[index]?.value] as const);
    return replace({
      ...{ name: fullName, sent, reply },
      run: async () => method.handle(Object.fromEntries(values) as never, call),
      forward: async (waitMs = 0) =>
        resultIn(await callSource({ method: fullName, params: sent, waitMs }, call.signal)),
    });
  };
  // On a thread there is no source.
  return {
    ...method,
    offload: undefined,
    params: keepSent(method.params),
    handle: handle as never,
  };
}

function reply(json: unknown): RawResult {
  return new RawResult(JSON.stringify(json));
}

/** The result of a response; throws its error, as it is. */
function resultIn(response: object): unknown {
  const { result, error } = response as { readonly result?: unknown; readonly error?: unknown };
  if (error === undefined || error === null) {
    if (result !== undefined) return result;
    throw new RpcError(UNREADABLE, "the source of this replica sent neither a result nor an error");
  }
  const { code, message, data } = Object(error);
  throw new RpcError(
    Number.isInteger(code) ? code : UNREADABLE,
    typeof message === "string"
      ? message
      : "the source of this replica sent an error without a message",
    data,
  );
}

function keepSent(params: Method<unknown>["params"]): Method<unknown>["params"] {
  return Object.fromEntries(
    Object.entries(params).map(([name, codec]): [string, Codec<unknown>] => [
      name,
      {
        ...codec,
        decode: (json, path, reading): Received => ({
          json,
          value: codec.decode(json, path, reading),
        }),
        ...(codec.missing && {
          missing: { value: { json: undefined, value: codec.missing.value } },
        }),
      },
    ]),
  );
}

/** The parameters as they were sent: the last one may be a list of them. */
function sentIn(
  { takesRest }: Method<unknown>,
  received: readonly (Received | undefined)[],
): readonly unknown[] {
  const list = received.map((each) => each?.json);
  const sent = takesRest
    ? list.flatMap((each, index) => (index === list.length - 1 ? each : [each]))
    : list;
  return sent.slice(0, sent.findLastIndex((json) => json !== undefined) + 1);
}
