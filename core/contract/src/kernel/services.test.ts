import { describe, expect, it } from "vitest";
import {
  defineService,
  isOptional,
  optional,
  Services,
  serviceOf,
  type Unavailable,
  unavailable,
} from "./services.js";

interface Runtime {
  readonly name: string;
}

const Signers = defineService<string[]>("clique.signers", { hint: "@acme/clique" });
const Index = defineService<string>("log-index.logs");

describe("tokens", () => {
  it("have their id and the package that provides them", () => {
    expect(Signers).toEqual({ id: "clique.signers", hint: "@acme/clique" });
    expect(Index).toEqual({ id: "log-index.logs" });
    expect(Object.isFrozen(Signers)).toBe(true);
  });

  it("can be optional dependencies", () => {
    expect(isOptional(Signers)).toBe(false);
    expect(isOptional(optional(Signers))).toBe(true);
    expect(serviceOf(Signers)).toBe(Signers);
    expect(serviceOf(optional(Signers))).toBe(Signers);
  });
});

describe("Services", () => {
  it("creates a service once with its provider's runtime, for all users", async () => {
    const services = new Services<Runtime>();
    const runtimes: Runtime[] = [];
    const runtime = { name: "clique" };
    services.declare("clique", [Signers]);
    services.provide("clique", Signers, (given) => {
      runtimes.push(given);
      return ["0x1"];
    });

    await services.create("clique", runtime, undefined);

    const { signers } = services.resolve({ signers: Signers });
    expect(signers).toEqual(["0x1"]);
    expect(services.resolve({ mine: optional(Signers) })).toEqual({ mine: signers });
    expect(runtimes).toEqual([runtime]);
  });

  it("waits for an asynchronous factory", async () => {
    const services = provided(async () => ["0x1"]);

    await services.create("clique", { name: "clique" }, undefined);

    expect(services.resolve({ signers: Signers })).toEqual({ signers: ["0x1"] });
  });

  it("creates only the services of the given plugin", async () => {
    const services = provided(() => ["0x1"]);
    services.declare("log-index", [Index]);
    services.provide("log-index", Index, () => {
      throw new Error("too early");
    });

    await services.create("clique", { name: "clique" }, undefined);

    expect(services.resolve({ index: optional(Index) })).toEqual({ index: undefined });
  });

  it("leaves missing services undefined", () => {
    const services = new Services<Runtime>();

    expect(services.resolve({ index: optional(Index) })).toEqual({ index: undefined });
  });

  it("propagates the error of a failing factory", async () => {
    const error = new Error("no keys");
    const services = provided(() => {
      throw error;
    });

    await expect(services.create("clique", { name: "clique" }, undefined)).rejects.toBe(error);
  });

  it.each([
    ["that it did not declare", () => new Services<Runtime>()],
    [
      "that another plugin declared",
      () => {
        const services = new Services<Runtime>();
        services.declare("other", [Signers]);
        return services;
      },
    ],
  ])("rejects a plugin that provides a service %s", (_, create) => {
    const services = create();

    expect(() => services.provide("clique", Signers, () => [])).toThrowError(
      expect.objectContaining({ code: "SERVICE_UNDECLARED", plugin: "clique" }),
    );
  });

  it("rejects a plugin that declares a service and does not provide it", () => {
    const services = new Services<Runtime>();
    services.declare("clique", [Signers]);

    expect(() => services.verifyProvided()).toThrowError(
      expect.objectContaining({ code: "SERVICE_NOT_PROVIDED", plugin: "clique" }),
    );
  });

  it("accepts a plugin that provides everything it declares", () => {
    expect(() => provided(() => []).verifyProvided()).not.toThrow();
  });
});

describe("an unavailable service", () => {
  it("makes its dependents idle, with its reason", async () => {
    const services = await withUnavailable("this chain has no signers");

    expect(services.findIdleReason({ signers: Signers })).toBe("this chain has no signers");
  });

  it("is just missing for optional dependents", async () => {
    const services = await withUnavailable("this chain has no signers");
    const dependencies = { signers: optional(Signers) };

    expect(services.findIdleReason(dependencies)).toBeUndefined();
    expect(services.resolve(dependencies)).toEqual({ signers: undefined });
  });

  it("does not affect plugins that do not use it", async () => {
    const services = await withUnavailable("this chain has no signers");

    expect(services.findIdleReason({})).toBeUndefined();
  });

  it("results from an idle provider, whose factory is not called", async () => {
    const services = provided(() => {
      throw new Error("must not run");
    });

    await services.create("clique", { name: "clique" }, "nothing to do");

    expect(services.findIdleReason({ signers: Signers })).toBe("nothing to do");
  });
});

function provided(create: () => unknown): Services<Runtime> {
  const services = new Services<Runtime>();
  services.declare("clique", [Signers]);
  services.provide("clique", Signers, create);
  return services;
}

async function withUnavailable(reason: string): Promise<Services<Runtime>> {
  const services = provided((): Unavailable => unavailable(reason));
  await services.create("clique", { name: "clique" }, undefined);
  return services;
}
