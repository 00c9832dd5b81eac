import { describe, expect, it } from "vitest";
import { Contributions } from "./contributions.js";
import { chooseDriver, type Driver, defineDriverPoint } from "./drivers.js";

const engines = defineDriverPoint<Driver>("car.engine", {
  option: "car-engine",
  summary: "Powers the car.",
});

describe("defineDriverPoint", () => {
  it("is a contribution point with the option that selects from it", () => {
    expect(engines).toMatchObject({
      id: "car.engine",
      option: "car-engine",
      summary: "Powers the car.",
    });
  });

  it("rejects two drivers whose names differ only in case", () => {
    const contributions = new Contributions(() => true);
    contributions.add(engines, "first", { name: "steam" });

    expect(() => contributions.add(engines, "second", { name: "STEAM" })).toThrowError(
      expect.objectContaining({ code: "CONTRIBUTION_CONFLICT" }),
    );
  });
});

describe("chooseDriver", () => {
  it.each(["diesel", "DIESEL", "Diesel"])("finds %s, with its owner", (name) => {
    const contributions = new Contributions(() => true);
    const diesel = { name: "Diesel" };
    contributions.add(engines, "first", { name: "steam" });
    contributions.add(engines, "second", diesel);

    const chosen = chooseDriver(contributions, engines, name);

    expect(chosen.plugin).toBe("second");
    expect(chosen.driver).toBe(diesel);
  });

  it("lists the available drivers if none has the name", () => {
    const contributions = new Contributions(() => true);
    contributions.add(engines, "first", { name: "steam" });
    contributions.add(engines, "second", { name: "diesel" });

    expect(() => chooseDriver(contributions, engines, "wind")).toThrowError(
      expect.objectContaining({
        code: "DRIVER_UNKNOWN",
        message:
          "Invalid value for option '--car-engine': no loaded plugin offers 'wind'; they offer steam, diesel",
        details: { option: "car-engine", value: "wind" },
      }),
    );
  });

  it("reports that there are no drivers at all", () => {
    const contributions = new Contributions(() => true);

    expect(() => chooseDriver(contributions, engines, "wind")).toThrowError(
      expect.objectContaining({
        code: "DRIVER_UNKNOWN",
        message:
          "Invalid value for option '--car-engine': no loaded plugin offers 'wind'; none offers any",
      }),
    );
  });

  it("skips the driver of a removed plugin", () => {
    const contributions = new Contributions((plugin) => plugin !== "second");
    contributions.add(engines, "second", { name: "diesel" });

    expect(() => chooseDriver(contributions, engines, "diesel")).toThrowError(
      expect.objectContaining({ code: "DRIVER_UNKNOWN" }),
    );
  });
});
