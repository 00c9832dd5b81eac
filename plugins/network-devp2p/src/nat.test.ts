import { recordLogs } from "@plinth/core/testing";
import { describe, expect, it } from "vitest";
import { findAdvertisedAddress } from "./nat.js";

const CONFIGURED = { host: "10.0.0.1", port: 30303 };

describe("the advertised address", () => {
  it.each([
    ["NONE", true, {}, CONFIGURED],
    ["AUTO", false, { HOST_PORT_30303: "40404" }, CONFIGURED],
    ["AUTO", true, { HOST_PORT_30303: "40404" }, { host: "192.0.2.7", port: 40404 }],
    ["DOCKER", false, {}, { host: "192.0.2.7", port: 30303 }],
    ["DOCKER", true, { HOST_PORT_30303: "many" }, { host: "192.0.2.7", port: 30303 }],
  ] as const)(
    "with %s, in Docker: %s, %j is %j",
    async (method, isInDocker, environment, address) => {
      const surroundings = {
        environment,
        resolve: async (name: string) => (name === "HOST_IP" ? "192.0.2.7" : expect.fail(name)),
        isInDocker: () => isInDocker,
        log: recordLogs().for("test"),
      };

      expect(await findAdvertisedAddress(method, CONFIGURED, surroundings)).toEqual(address);
    },
  );

  it("is the configured one when the name of the host does not resolve", async () => {
    const surroundings = {
      environment: { HOST_PORT_30303: "40404" },
      resolve: () => Promise.reject(new Error("ENOTFOUND")),
      isInDocker: () => true,
      log: recordLogs().for("test"),
    };

    expect(await findAdvertisedAddress("AUTO", CONFIGURED, surroundings)).toEqual({
      host: "10.0.0.1",
      port: 40404,
    });
  });
});
