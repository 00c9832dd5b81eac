import { option } from "@plinth/core";
import { OptionSchema } from "@plinth/core/kernel";
import { describe, expect, it } from "vitest";
import { describeUnknown, findUnknownVariables, verifyProtection } from "./unknown-variables.js";

function schemaOf(): OptionSchema {
  const schema = new OptionSchema();
  schema.declare("test", {
    rpcHttpPort: option.port({ summary: "", default: 8545 }),
    rpcHttpApi: option.text({ summary: "", aliases: ["rpcHttpApis"] }),
  });
  return schema;
}

describe("unknown variables", () => {
  it("are those with a prefix of options that match none", () => {
    const found = findUnknownVariables(schemaOf(), {
      PLINTH_RPC_HTTP_PORT: "1",
      BESU_RPC_HTTP_APIS: "ETH",
      BESU_OPTS: "-Xmx4g",
      PLINTH_RPC_HTTP_PROT: "1",
      PLINTH_HOME: "/opt/plinth",
      PLINTH_PLUGINS_HOME: "/opt/plugins",
      PATH: "/bin",
    });

    expect(found).toEqual(["BESU_OPTS", "PLINTH_RPC_HTTP_PROT"]);
  });

  it("exclude those that Kubernetes sets for services", () => {
    const found = findUnknownVariables(schemaOf(), {
      BESU_SERVICE_HOST: "10.0.0.1",
      BESU_SERVICE_PORT: "8545",
      BESU_TLS_SERVICE_PORT_HTTPS: "443",
      BESU_PORT: "tcp://10.0.0.1:8545",
      BESU_PORT_8545_TCP: "tcp://10.0.0.1:8545",
      BESU_PORT_8545_TCP_ADDR: "10.0.0.1",
    });

    expect(found).toEqual([]);
  });

  it("are reported with the most similar option", () => {
    const variables = ["BESU_OPTS", "PLINTH_RPC_HTTP_PROT"];

    expect(describeUnknown(variables, schemaOf())).toBe(
      "ignoring unknown environment variables: BESU_OPTS, PLINTH_RPC_HTTP_PROT (did you mean PLINTH_RPC_HTTP_PORT?)",
    );
  });

  it.each([
    "BESU_RPC_HTTP_AUTHENTICATION_ENABLED",
    "BESU_RPC_HTTP_TLS_ENABLED",
    "BESU_RPC_HTTP_AUTHENTICATION_JWT_PUBLIC_KEY_FILE",
    "BESU_RPC_WS_SSL_ENABLED",
    "BESU_PERMISSIONS_NODES_CONFIG_FILE_ENABLED",
    "PLINTH_PRIVACY_ENABLED",
    "PLINTH_ENGINE_JWT_SECRET",
  ])("that request protection prevent the start: %s", (variable) => {
    expect(() => verifyProtection(["BESU_OPTS", variable], { [variable]: "true" })).toThrow(
      expect.objectContaining({
        code: "VARIABLE_UNKNOWN",
        message: expect.stringContaining(variable),
      }),
    );
  });

  it.each([
    ["BESU_OPTS", "-Djavax.net.ssl.trustStore=x"],
    ["BESU_RPC_HTTP_TLS_ENABLED", "false"],
    ["PLINTH_CONFORMANCE", "1"],
    ["BESU_AUTHOR", "me"],
  ])("that request none do not: %s=%s", (variable, value) => {
    expect(() => verifyProtection([variable], { [variable]: value })).not.toThrow();
  });
});
