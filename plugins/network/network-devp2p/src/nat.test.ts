import { recordLogs } from "@plinth/testing";
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
    ["DOCKER", true, { MY_NODE_SERVICE_HOST: "10.9.9.9" }, { host: "192.0.2.7", port: 30303 }],
    ["NONE", true, { MY_NODE_SERVICE_HOST: "10.9.9.9" }, CONFIGURED],
    ["KUBERNETES", true, { MY_NODE_SERVICE_HOST: "10.9.9.9" }, { host: "10.9.9.9", port: 30303 }],
    [
      "AUTO",
      true,
      { MY_NODE_SERVICE_HOST: "10.9.9.9", MY_NODE_SERVICE_PORT_RLPX: "31000" },
      { host: "10.9.9.9", port: 31000 },
    ],
    [
      "KUBERNETES",
      false,
      { MY_NODE_SERVICE_HOST: "fd00::9", MY_NODE_PORT_30303_TCP_PORT: "31001" },
      { host: "fd00::9", port: 31001 },
    ],
    ["KUBERNETES", true, { MY_NODE_SERVICE_HOST: "no address" }, CONFIGURED],
  ] as const)(
    "with %s, in Docker: %s, %j is %j",
    async (method, isInDocker, environment, address) => {
      const context = {
        environment,
        resolve: async (name: string) => (name === "HOST_IP" ? "192.0.2.7" : expect.fail(name)),
        isInDocker: () => isInDocker,
        log: recordLogs().for("test"),
      };

      expect(
        await findAdvertisedAddress({ method, service: "my-node" }, CONFIGURED, context),
      ).toEqual(address);
    },
  );

  it("is the configured one if the name of the host does not resolve", async () => {
    const context = {
      environment: { HOST_PORT_30303: "40404" },
      resolve: () => Promise.reject(new Error("ENOTFOUND")),
      isInDocker: () => true,
      log: recordLogs().for("test"),
    };

    expect(
      await findAdvertisedAddress({ method: "AUTO", service: "besu" }, CONFIGURED, context),
    ).toEqual({
      host: "10.0.0.1",
      port: 40404,
    });
  });

  it("is the configured one, with a warning, without the Kubernetes service", async () => {
    const logs = recordLogs();
    const context = {
      environment: {},
      resolve: () => expect.fail("nothing is resolved"),
      isInDocker: () => true,
      log: logs.for("test"),
    };
    const nat = { method: "KUBERNETES", service: "my-node" } as const;

    expect(await findAdvertisedAddress(nat, CONFIGURED, context)).toEqual(CONFIGURED);
    expect(logs.entries).toMatchObject([
      { level: "warn", message: expect.stringContaining("MY_NODE_SERVICE_HOST is not set") },
    ]);
  });
});
