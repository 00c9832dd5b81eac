import { describe, expect, it } from "vitest";
import { PHASES, PhaseMachine } from "./phases.js";

describe("PhaseMachine", () => {
  it("starts with the first phase", () => {
    expect(new PhaseMachine().current).toBe("resolved");
  });

  it("passes through all phases in order", () => {
    const machine = new PhaseMachine();

    const seen = PHASES.slice(1).map((phase) => {
      machine.advance(phase);
      return machine.current;
    });

    expect(seen).toEqual(["configured", "registered", "open", "running", "stopped"]);
  });

  it("may skip phases on its way to the end", () => {
    const machine = new PhaseMachine();

    machine.advance("stopped");

    expect(machine.current).toBe("stopped");
  });

  it.each([
    ["back", "configured"],
    ["to its current phase", "registered"],
  ] as const)("never goes %s", (_, to) => {
    const machine = new PhaseMachine();
    machine.advance("registered");

    expect(() => machine.advance(to)).toThrowError(
      expect.objectContaining({ code: "INVARIANT_BROKEN" }),
    );
    expect(machine.current).toBe("registered");
  });

  it("allows operations of its phase", () => {
    const machine = new PhaseMachine();
    machine.advance("running");

    expect(() => machine.verify("running", "disable x")).not.toThrow();
  });

  it.each(["registered", "stopped"] as const)(
    "rejects operations of another phase when it is %s",
    (phase) => {
      const machine = new PhaseMachine();
      machine.advance(phase);

      expect(() => machine.verify("running", "disable x")).toThrowError(
        expect.objectContaining({
          code: "PHASE_WRONG",
          message: `cannot disable x: the node is ${phase}, not running`,
          details: { phase },
        }),
      );
    },
  );
});
