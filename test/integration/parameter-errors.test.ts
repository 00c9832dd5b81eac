import { type Codec, definePlugin, type Method } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { afterAll, describe, expect, it } from "vitest";
import { registerShippedNode } from "../support/shipped-plugins.js";

/** Every parameter rejects one of them, unless its method parses it itself. */
const WRONG: readonly unknown[] = ["no such thing", [["x"]], { x: {} }, -1.5, true, {}, [1.5]];

const shipped = await registerShippedNode();
const methods = shipped.methods().map(({ fullName, method }) => [fullName, method] as const);

/** The declarations of all methods, on a chain that uses each. */
const declared = definePlugin({
  name: "declared",
  setup({ rpc }) {
    const copies = methods.map(([fullName, method]): [string, Method<unknown>] => [
      nameOf(fullName),
      { ...method, caller: "any", offload: undefined, alias: undefined, handle: () => null },
    ]);
    rpc.namespace("declared", Object.fromEntries(copies));
  },
});
const node = await createTestNode({ plugins: [declared] });
afterAll(() => node.stop());

/** Each parameter with a call in which it alone is invalid. */
const positions = methods.flatMap(([fullName, method]) =>
  Object.entries(method.params).flatMap(([name, codec], index, { length }) => {
    const isRest = method.takesRest && index === length - 1;
    const wrong = WRONG.find((value) => refuses(codec, isRest ? [value] : value));
    const given = Array.from({ length }, (_, place) =>
      place === index ? wrong : method.example?.params[place],
    );
    return wrong === undefined ? [] : [[fullName, name, given] as const];
  }),
);

describe("an error names the parameter", () => {
  it("that is invalid, in nearly every method", () => {
    const names = methods.filter(([, { params }]) => Object.keys(params).length > 0);

    expect(new Set(positions.map(([method]) => method)).size).toBeGreaterThan(names.length * 0.85);
  });

  it.each(positions)("that is invalid: %s, %s", async (method, name, given) => {
    expect(await problemOf(method, given)).toMatch(new RegExp(`: ${name}[:.[]`));
  });

  it.each(methods.filter(([, method]) => firstRequired(method) !== undefined))(
    "that is missing first: %s",
    async (fullName, method) => {
      const name = firstRequired(method);

      expect(await problemOf(fullName, [])).toMatch(new RegExp(`: ${name}[:.[]|not 0$`));
    },
  );
});

function nameOf(fullName: string): string {
  return fullName.replace("_", "");
}

/** The message of the error that the parameters of a call cause. */
async function problemOf(fullName: string, given: readonly unknown[]): Promise<string> {
  return node.rpc(`declared_${nameOf(fullName)}`, given).then(
    () => "none",
    (error) => error.message,
  );
}

/** The name of the first required parameter of a call. */
function firstRequired({ params, takesRest }: Method<unknown>): string | undefined {
  const entries = Object.entries(params).slice(0, takesRest ? -1 : undefined);
  return entries.find(([, codec]) => refuses(codec, undefined))?.[0];
}

function refuses(codec: Codec<unknown>, json: unknown): boolean {
  try {
    codec.decode(json);
    return false;
  } catch {
    return true;
  }
}
