import { type Call, type Codec, type Method, stream } from "@plinth/core";
import { FORWARDED } from "./forwarded.js";
import type { OlderBlocks } from "./older-blocks.js";

/** An argument as received, with its value. */
class Sent {
  readonly json: unknown;
  readonly value: unknown;

  constructor(json: unknown, value: unknown) {
    this.json = json;
    this.value = value;
  }
}

/**
 * A method that has results of older blocks from the node that was forked; `undefined` if it has none.
 *
 * On a chain that is not a fork it is unchanged.
 */
export function wrapMethod(
  method: Method<unknown>,
  name: string,
  findOlder: () => OlderBlocks | undefined,
): Method<unknown> | undefined {
  const forwarding = Object.hasOwn(FORWARDED, name) ? FORWARDED[name] : undefined;
  if (forwarding === undefined) return undefined;
  const names = Object.keys(method.params);
  const handle = (received: Readonly<Record<string, unknown>>, call: Call) => {
    const values = names.map((key) => [key, valueIn(received[key])] as const);
    const params = Object.fromEntries(values);
    const run = (changed: Readonly<Record<string, unknown>> = params) =>
      method.handle(changed as never, call);
    const older = findOlder();
    if (older === undefined) return run();
    const sent = withoutEnd(names.map((key) => jsonOf(received[key])));
    const forward = (changed: readonly unknown[] = sent) => older.ask(name, changed, call.signal);
    const { blocks } = call.chain;
    const { signal } = call;
    return forwarding({ sent, params, blocks, older, signal, run, forward, reply });
  };
  return { ...method, params: keepSent(method.params), handle: handle as never };
}

/** A stream, because its form is that of another client: it is not compared with the codec of the method. */
function reply(json: unknown): unknown {
  return stream(once(JSON.stringify(json)));
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function keepSent(params: Method<unknown>["params"]): Method<unknown>["params"] {
  return Object.fromEntries(
    Object.entries(params).map(([name, codec]): [string, Codec<unknown>] => [
      name,
      {
        ...codec,
        decode: (json, path, reading) => new Sent(json, codec.decode(json, path, reading)),
      },
    ]),
  );
}

/** An argument that was omitted is its default, which is not decoded. */
function valueIn(received: unknown): unknown {
  return received instanceof Sent ? received.value : received;
}

function jsonOf(received: unknown): unknown {
  return received instanceof Sent ? received.json : undefined;
}

function withoutEnd(sent: readonly unknown[]): readonly unknown[] {
  return sent.slice(0, sent.findLastIndex((json) => json !== undefined) + 1);
}
