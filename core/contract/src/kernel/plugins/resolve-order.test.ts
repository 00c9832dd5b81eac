import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dependencies, defineService, optional, type Service } from "../services.js";
import { markPlugin, type Plugin } from "./plugin.js";
import { resolveOrder } from "./resolve-order.js";

const Signers = defineService<object>("consensus-clique.signers", {
  hint: "@plinth/plugin-consensus-clique",
});
const Index = defineService<object>("log-index.logs");

describe("resolveOrder", () => {
  it("keeps the given order of independent plugins", () => {
    expect(namesOf([aPlugin("c"), aPlugin("a"), aPlugin("b")])).toEqual(["c", "a", "b"]);
  });

  it("accepts an empty list", () => {
    expect(resolveOrder([])).toEqual([]);
  });

  it("puts a provider before its user", () => {
    const consumer = aPlugin("consumer", { dependencies: { signers: Signers } });
    const provider = aPlugin("provider", { provides: [Signers] });

    expect(namesOf([consumer, provider])).toEqual(["provider", "consumer"]);
  });

  it("moves a provider no further than necessary", () => {
    const consumer = aPlugin("consumer", { dependencies: { signers: Signers } });
    const provider = aPlugin("provider", { provides: [Signers] });

    expect(namesOf([aPlugin("a"), consumer, aPlugin("b"), provider, aPlugin("c")])).toEqual([
      "a",
      "provider",
      "consumer",
      "b",
      "c",
    ]);
  });

  it("reports which plugins precede a plugin, and for which service", () => {
    const consumer = aPlugin("consumer", { dependencies: { x: Signers, y: optional(Index) } });
    const provider = aPlugin("provider", { provides: [Signers, Index] });

    const ordered = resolveOrder([consumer, provider]);

    expect(ordered.map(({ plugin, after }) => ({ name: plugin.name, after }))).toEqual([
      { name: "provider", after: [] },
      {
        name: "consumer",
        after: [
          { plugin: "provider", service: "consensus-clique.signers" },
          { plugin: "provider", service: "log-index.logs" },
        ],
      },
    ]);
  });

  it("puts the provider of an optional service first if it is loaded", () => {
    const consumer = aPlugin("consumer", { dependencies: { index: optional(Index) } });
    const provider = aPlugin("provider", { provides: [Index] });

    expect(namesOf([consumer, provider])).toEqual(["provider", "consumer"]);
  });

  it("ignores an optional service that is not provided", () => {
    const consumer = aPlugin("consumer", { dependencies: { index: optional(Index) } });

    expect(resolveOrder([consumer])).toEqual([{ plugin: consumer, after: [] }]);
  });

  it("compares services by their id, not by the token", () => {
    const sameService = defineService<object>("log-index.logs");
    const consumer = aPlugin("consumer", { dependencies: { index: sameService } });
    const provider = aPlugin("provider", { provides: [Index] });

    expect(namesOf([consumer, provider])).toEqual(["provider", "consumer"]);
  });

  it("never puts a consumer before a provider, and loses no plugin", () => {
    fc.assert(
      fc.property(pluginsWithoutCycles(), (plugins) => {
        const ordered = resolveOrder(plugins);

        const names = ordered.map(({ plugin }) => plugin.name);
        expect(names.toSorted()).toEqual(plugins.map(({ name }) => name).toSorted());
        for (const { plugin, after } of ordered) {
          for (const provider of after) {
            expect(names.indexOf(provider.plugin)).toBeLessThan(names.indexOf(plugin.name));
          }
        }
      }),
    );
  });

  it("keeps an order that is already valid", () => {
    fc.assert(
      fc.property(pluginsWithoutCycles(), (plugins) => {
        const ordered = resolveOrder(plugins).map(({ plugin }) => plugin);

        expect(resolveOrder(ordered).map(({ plugin }) => plugin)).toEqual(ordered);
      }),
    );
  });
});

describe("resolveOrder refuses", () => {
  it("two plugins of one name", () => {
    expect(() => resolveOrder([aPlugin("a"), aPlugin("b"), aPlugin("a")])).toThrowError(
      expect.objectContaining({ code: "PLUGIN_DUPLICATE", details: { plugin: "a" } }),
    );
  });

  it("two providers of one service, naming both", () => {
    const plugins = [aPlugin("a", { provides: [Index] }), aPlugin("b", { provides: [Index] })];

    expect(() => resolveOrder(plugins)).toThrowError(
      expect.objectContaining({
        code: "SERVICE_CONFLICT",
        message: "a and b both provide log-index.logs; keep one of them",
      }),
    );
  });

  it("a missing provider, naming the package to add", () => {
    const consumer = aPlugin("rpc-clique", { dependencies: { signers: Signers } });

    expect(() => resolveOrder([consumer])).toThrowError(
      expect.objectContaining({
        code: "SERVICE_MISSING",
        message: "rpc-clique needs consensus-clique.signers; add @plinth/plugin-consensus-clique",
        details: { plugin: "rpc-clique", service: "consensus-clique.signers" },
      }),
    );
  });

  it("a missing provider of a service without a package name", () => {
    const consumer = aPlugin("rpc-audit", { dependencies: { index: Index } });

    expect(() => resolveOrder([consumer])).toThrowError(
      expect.objectContaining({
        code: "SERVICE_MISSING",
        message: "rpc-audit needs log-index.logs; no loaded plugin provides it",
      }),
    );
  });

  it.each([
    ["itself", ["a"], "a needs a.service of a"],
    ["each other", ["a", "b"], "a needs b.service of b, b needs a.service of a"],
    [
      "each other in a cycle of three",
      ["a", "b", "c"],
      "a needs b.service of b, b needs c.service of c, c needs a.service of a",
    ],
  ])("plugins that wait for %s, and explains the cycle", (_, names, explanation) => {
    const plugins = names.map((name, index) =>
      inARound(name, names[(index + 1) % names.length] ?? name),
    );

    expect(() => resolveOrder(plugins)).toThrowError(
      expect.objectContaining({
        code: "SERVICE_CYCLE",
        message: expect.stringContaining(
          `plugins depend on each other in a cycle: ${explanation};`,
        ),
        details: { plugins: names },
      }),
    );
  });

  it("a cycle without blaming plugins that merely lead to it", () => {
    const outsider = aPlugin("outsider", { dependencies: { a: serviceOfPlugin("a") } });

    expect(() => resolveOrder([outsider, inARound("a", "b"), inARound("b", "a")])).toThrowError(
      expect.objectContaining({ code: "SERVICE_CYCLE", details: { plugins: ["a", "b"] } }),
    );
  });

  it("a cycle closed by an optional dependency", () => {
    const a = aPlugin("a", {
      provides: [serviceOfPlugin("a")],
      dependencies: { b: optional(serviceOfPlugin("b")) },
    });

    expect(() => resolveOrder([a, inARound("b", "a")])).toThrowError(
      expect.objectContaining({ code: "SERVICE_CYCLE" }),
    );
  });
});

function aPlugin(
  name: string,
  declared: { provides?: readonly Service<unknown>[]; dependencies?: Dependencies } = {},
): Plugin {
  return markPlugin({ name, setup: () => {}, ...declared });
}

function inARound(name: string, needs: string): Plugin {
  return aPlugin(name, {
    provides: [serviceOfPlugin(name)],
    dependencies: { next: serviceOfPlugin(needs) },
  });
}

function serviceOfPlugin(name: string): Service<object> {
  return defineService<object>(`${name}.service`);
}

function namesOf(plugins: readonly Plugin[]): readonly string[] {
  return resolveOrder(plugins).map(({ plugin }) => plugin.name);
}

/** Plugins in any order, each of which may use those with a lower number. */
function pluginsWithoutCycles(): fc.Arbitrary<readonly Plugin[]> {
  return fc
    .array(fc.array(fc.nat(11), { maxLength: 4 }), { maxLength: 12 })
    .map((uses) =>
      uses.map((numbers, own) => {
        const used = numbers.filter((number) => number < own).map((number) => `p${number}`);
        return aPlugin(`p${own}`, {
          provides: [serviceOfPlugin(`p${own}`)],
          dependencies: Object.fromEntries(used.map((name) => [name, serviceOfPlugin(name)])),
        });
      }),
    )
    .chain((plugins) => fc.shuffledSubarray(plugins, { minLength: plugins.length }));
}
