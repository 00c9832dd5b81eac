import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Configuration, type Given, type Layer, OptionSchema, type SourceKind } from "./config.js";
import { optionKinds } from "./option-kinds.js";
import { type Options, option } from "./options.js";

const summary = "What it is for.";

const options = {
  rpcHttpPort: option.port({ summary, default: 8545 }),
  rpcHttpApi: option.list({ summary, of: optionKinds.text(), default: ["ETH"] }),
  rpcHttpEnabled: option.flag({ summary }),
  genesisFile: option.path({ summary }),
};

describe("sources", () => {
  const sources = ["command line", "environment", "file", "profile"] as const;
  type Source = (typeof sources)[number];
  const folders: Record<Source, string> = {
    "command line": "/home",
    environment: "/home",
    file: "/etc",
    profile: "/opt",
  };
  // Strings on the command line, values in a file.
  const given: Record<string, Record<Source, unknown>> = {
    rpcHttpPort: { "command line": "1", environment: "2", file: 3, profile: "4" },
    rpcHttpApi: {
      "command line": "NET,WEB3",
      environment: "DEBUG",
      file: ["ADMIN", "NET"],
      profile: [],
    },
    rpcHttpEnabled: { "command line": "true", environment: "false", file: true, profile: false },
    genesisFile: { "command line": "a", environment: "/b", file: "c", profile: "../d" },
  };
  const expected: Record<string, Record<Source, unknown>> = {
    rpcHttpPort: { "command line": 1, environment: 2, file: 3, profile: 4 },
    rpcHttpApi: {
      "command line": ["NET", "WEB3"],
      environment: ["DEBUG"],
      file: ["ADMIN", "NET"],
      profile: [],
    },
    rpcHttpEnabled: { "command line": true, environment: false, file: true, profile: false },
    genesisFile: { "command line": "/home/a", environment: "/b", file: "/etc/c", profile: "/d" },
  };
  const names = {
    rpcHttpPort: "rpc-http-port",
    rpcHttpApi: "rpc-http-api",
    rpcHttpEnabled: "rpc-http-enabled",
    genesisFile: "genesis-file",
  };
  const layerOf = (source: Source, keys: readonly string[]): Layer => ({
    source,
    label: `the ${source}`,
    folder: folders[source],
    entries: new Map(
      keys.map((key): [string, Given] => {
        const label = `${key} of the ${source}`;
        const value = given[key]?.[source];
        const isText = source === "command line" || source === "environment";
        return [
          names[key as keyof typeof names],
          isText ? { label, text: String(value) } : { label, value },
        ];
      }),
    ),
  });

  for (const [key, kind] of Object.entries({
    rpcHttpPort: "a number",
    rpcHttpApi: "a list",
    rpcHttpEnabled: "a flag",
    genesisFile: "a path",
  })) {
    it.each(sources)(`take ${kind} from the %s before all weaker ones`, (strongest) => {
      const layers = sources
        .slice(sources.indexOf(strongest))
        .map((source) => layerOf(source, [key]));

      const config = new Configuration(schemaOf({ core: options }), layers);

      expect(config.get(key)).toEqual(expected[key]?.[strongest]);
      expect(config.origin(key)).toEqual({
        source: strongest,
        label: `${key} of the ${strongest}`,
      });
      expect(config.isSet(key)).toBe(true);
    });

    it(`leave ${kind} at its default if none has it`, () => {
      const layers = sources.map((source) => layerOf(source, []));

      const config = new Configuration(schemaOf({ core: options }), layers);

      expect(config.get(key)).toEqual(options[key as keyof typeof options].default);
      expect(config.origin(key)).toEqual({ source: "default", label: "default" });
      expect(config.isSet(key)).toBe(false);
    });
  }

  it("are compared option by option", () => {
    const config = new Configuration(schemaOf({ core: options }), [
      layerOf("command line", ["rpcHttpPort"]),
      layerOf("environment", ["rpcHttpApi"]),
      layerOf("file", ["rpcHttpPort", "rpcHttpApi", "rpcHttpEnabled"]),
      layerOf("profile", ["rpcHttpPort", "genesisFile"]),
    ]);

    expect(Object.keys(options).map((key) => config.origin(key).source)).toEqual([
      "command line",
      "environment",
      "file",
      "profile",
    ]);
  });

  it("do not merge each other's lists", () => {
    const config = new Configuration(schemaOf({ core: options }), [
      layerOf("environment", ["rpcHttpApi"]),
      layerOf("file", ["rpcHttpApi"]),
    ]);

    expect(config.get("rpcHttpApi")).toEqual(["DEBUG"]);
  });

  it("may set a flag to false over a weaker true", () => {
    const config = new Configuration(schemaOf({ core: options }), [
      layerOf("environment", ["rpcHttpEnabled"]),
      layerOf("file", ["rpcHttpEnabled"]),
    ]);

    expect(config.get("rpcHttpEnabled")).toBe(false);
  });
});

describe("Configuration", () => {
  it("resolves a relative default like any other path", () => {
    const schema = schemaOf({ core: { dataPath: option.path({ summary, default: "data" }) } });

    expect(new Configuration(schema, []).get("dataPath")).toBe(resolve("data"));
  });

  it("rejects a default that its own kind does not accept", () => {
    const schema = schemaOf({ audit: { auditPort: option.port({ summary, default: 70_000 }) } });

    expect(() => new Configuration(schema, [])).toThrowError(
      expect.objectContaining({ code: "OPTION_INVALID", details: { option: "audit-port" } }),
    );
  });

  it("provides a plugin the values of its own options, frozen", () => {
    const schema = schemaOf({ core: options, audit: { auditLevel: option.text({ summary }) } });

    const values = new Configuration(schema, []).valuesOf({ rpcHttpPort: options.rpcHttpPort });

    expect(values).toEqual({ rpcHttpPort: 8545 });
    expect(Object.isFrozen(values)).toBe(true);
  });

  it("accepts an option under any of its aliases", () => {
    const schema = schemaOf({
      core: { txPoolMaxSize: option.integer({ summary, aliases: ["poolSize"] }) },
    });

    const config = new Configuration(schema, [valueLayer("file", { "pool-size": 5 })]);

    expect(config.get("txPoolMaxSize")).toBe(5);
  });

  it.each([
    ["its name before its aliases", ["third", "name", "second"], "name"],
    ["the first declared alias", ["third", "second"], "second"],
  ])("uses %s if one source has several", (_, names, winner) => {
    const schema = schemaOf({
      core: { name: option.text({ summary, aliases: ["second", "third"] }) },
    });
    const entries = Object.fromEntries(names.map((name) => [name, name]));

    const config = new Configuration(schema, [valueLayer("file", entries)]);

    expect(config.get("name")).toBe(winner);
  });

  it("prefers an alias in a stronger source to the name in a weaker one", () => {
    const schema = schemaOf({ core: { name: option.text({ summary, aliases: ["second"] }) } });

    const config = new Configuration(schema, [
      valueLayer("file", { second: "strong" }),
      valueLayer("profile", { name: "weak" }),
    ]);

    expect(config.get("name")).toBe("strong");
  });

  it("has one value for an option shared by two plugins", () => {
    const shared = { hostAllowlist: option.list({ summary, of: optionKinds.host() }) };
    const schema = schemaOf({ http: shared, ws: { ...shared } });

    const config = new Configuration(schema, [valueLayer("file", { "host-allowlist": ["a"] })]);

    expect(config.valuesOf(shared)).toEqual({ hostAllowlist: ["a"] });
    expect(schema.all().map(({ owner }) => owner)).toEqual(["http"]);
  });
});

describe("a value that does not fit", () => {
  it.each<[SourceKind, string]>([
    ["command line", "Invalid value for option '--rpc-http-port': 'abc' is not an int"],
    [
      "environment",
      "Invalid value for option '--rpc-http-port' (from PLINTH_RPC_HTTP_PORT): 'abc' is not an int",
    ],
    [
      "file",
      "Invalid value for option '--rpc-http-port' (from PLINTH_RPC_HTTP_PORT): 'abc' is not an int",
    ],
  ])("on the %s is rejected, naming its source unless it was just typed", (source, message) => {
    const entries = new Map([["rpc-http-port", { label: "PLINTH_RPC_HTTP_PORT", text: "abc" }]]);
    const layer: Layer = { source, label: source, entries };

    expect(() => new Configuration(schemaOf({ core: options }), [layer])).toThrowError(
      expect.objectContaining({
        code: "OPTION_INVALID",
        message,
        details: { option: "rpc-http-port" },
      }),
    );
  });

  it("under an alias is rejected with the name of the option", () => {
    const schema = schemaOf({
      core: { maxPeers: option.integer({ summary, aliases: ["peers"] }) },
    });

    expect(() => new Configuration(schema, [valueLayer("file", { peers: "many" })])).toThrowError(
      "Invalid value for option '--max-peers' (from plinth.toml): 'many' is not an int",
    );
  });

  it("is ignored if a stronger source has another", () => {
    const config = new Configuration(schemaOf({ core: options }), [
      valueLayer("environment", { "rpc-http-port": 1 }),
      valueLayer("file", { "rpc-http-port": "abc" }),
    ]);

    expect(config.get("rpcHttpPort")).toBe(1);
  });

  it("passes through an error that is not about the value", () => {
    const broken = option.text({ summary });
    const bug = new TypeError("a bug of the kind");
    const kind = {
      ...broken.kind,
      accept: () => {
        throw bug;
      },
    };
    const schema = schemaOf({ core: { broken: { ...broken, kind } } });

    expect(() => new Configuration(schema, [valueLayer("file", { broken: "x" })])).toThrowError(
      bug,
    );
  });
});

describe("unknown options", () => {
  const configure = (entries: Record<string, unknown>) =>
    new Configuration(schemaOf({ core: options }), [
      { ...valueLayer("file", entries), label: "TOML configuration file" },
    ]);

  it("are rejected one at a time", () => {
    expect(() => configure({ color: "red" })).toThrowError(
      expect.objectContaining({
        code: "OPTION_UNKNOWN",
        message: "Unknown option in TOML configuration file: color",
        details: { options: ["color"], hints: [] },
      }),
    );
  });

  it("are rejected all together, in file order", () => {
    expect(() => configure({ shape: 1, "rpc-http-port": 2, color: "red" })).toThrowError(
      expect.objectContaining({
        code: "OPTION_UNKNOWN",
        message: "Unknown options in TOML configuration file: shape, color",
        details: { options: ["shape", "color"], hints: [] },
      }),
    );
  });

  it("are rejected with similar names", () => {
    expect(() => configure({ "rpc-http-prot": 1 })).toThrowError(
      expect.objectContaining({
        details: {
          options: ["rpc-http-prot"],
          hints: ["Possible solutions: rpc-http-port"],
        },
      }),
    );
  });

  it("are suggested each name once", () => {
    expect(() => configure({ "genesis-fil": 1, "genesis-fiel": 1 })).toThrowError(
      expect.objectContaining({
        details: expect.objectContaining({ hints: ["Possible solutions: genesis-file"] }),
      }),
    );
  });

  it("include the names used in code: a file uses rpc-http-port, not rpcHttpPort", () => {
    expect(() => configure({ rpcHttpPort: 1 })).toThrowError(
      "Unknown option in TOML configuration file: rpcHttpPort",
    );
  });

  it("in a weaker source are rejected as well", () => {
    const layers = [valueLayer("file", { "rpc-http-port": 1 }), valueLayer("profile", { x: 1 })];

    expect(() => new Configuration(schemaOf({ core: options }), layers)).toThrowError(
      expect.objectContaining({ code: "OPTION_UNKNOWN" }),
    );
  });
});

describe("OptionSchema", () => {
  it("lists options with their names and owners, in the order of declaration", () => {
    const schema = schemaOf({
      core: { dataPath: option.path({ summary }) },
      audit: { auditLevel: option.text({ summary, aliases: ["auditDepth"] }) },
    });

    expect(schema.all()).toMatchObject([
      { key: "dataPath", name: "data-path", aliases: [], owner: "core" },
      { key: "auditLevel", name: "audit-level", aliases: ["audit-depth"], owner: "audit" },
    ]);
  });

  it("finds an option by its name and by its aliases", () => {
    const schema = schemaOf({
      audit: { auditLevel: option.text({ summary, aliases: ["depth"] }) },
    });

    expect(schema.find("audit-level")?.key).toBe("auditLevel");
    expect(schema.find("depth")?.key).toBe("auditLevel");
    expect(schema.find("auditLevel")).toBeUndefined();
  });

  it.each<[string, Options, Options, string]>([
    ["two names", { port: option.port({ summary }) }, { port: option.port({ summary }) }, "port"],
    [
      "a name and an alias",
      { port: option.port({ summary }) },
      { other: option.port({ summary, aliases: ["port"] }) },
      "port",
    ],
    [
      "two aliases",
      { a: option.port({ summary, aliases: ["port"] }) },
      { b: option.port({ summary, aliases: ["port"] }) },
      "port",
    ],
  ])("rejects a clash of %s, naming both owners", (_, first, second, name) => {
    const schema = schemaOf({ http: first });

    expect(() => schema.declare("ws", second)).toThrowError(
      expect.objectContaining({
        code: "OPTION_CONFLICT",
        message: `http and ws both declare the option --${name}; remove one of them`,
      }),
    );
  });
});

describe("values without effect", () => {
  const partly = {
    rpcHttpEnabled: option.flag({ summary }),
    syncMode: option.oneOf(["FULL", "SNAP"], {
      summary,
      default: "SNAP",
      noEffect: (mode) => (mode === "FULL" ? undefined : "as with FULL"),
    }),
    rpcHttpPort: option.port({ summary, needs: "rpcHttpEnabled", noEffect: () => "it is fixed" }),
  };
  const idle = (entries: Record<string, unknown>) => {
    const schema = schemaOf({ core: partly });
    return new Configuration(schema, [valueLayer("file", entries)]).withoutEffect(schema);
  };

  it("are reported with the reason if the operator set them", () => {
    expect(idle({ "sync-mode": "SNAP", "rpc-http-enabled": true, "rpc-http-port": 7 })).toEqual([
      { name: "sync-mode", text: "SNAP", reason: "as with FULL" },
      { name: "rpc-http-port", text: "7", reason: "it is fixed" },
    ]);
  });

  it("exclude effective values, defaults, and those that need a flag that is off", () => {
    expect(idle({ "sync-mode": "FULL" })).toEqual([]);
    expect(idle({})).toEqual([]);
    expect(idle({ "rpc-http-port": 7 })).toEqual([]);
  });
});

describe("options without effect", () => {
  const needy = {
    rpcHttpEnabled: option.flag({ summary }),
    rpcHttpPort: option.port({ summary, default: 8545, needs: "rpcHttpEnabled" }),
    rpcHttpHost: option.host({ summary, needs: "rpcHttpEnabled" }),
    rpcWsEnabled: option.flag({ summary }),
    rpcWsPort: option.port({ summary, needs: "rpcWsEnabled" }),
  };
  const ignored = (entries: Record<string, unknown>) => {
    const schema = schemaOf({ core: needy });
    return new Configuration(schema, [valueLayer("file", entries)]).ignored(schema);
  };

  it("are grouped by the flag that is off", () => {
    expect(ignored({ "rpc-http-host": "a", "rpc-http-port": 1, "rpc-ws-port": 2 })).toEqual(
      new Map(
        Object.entries({
          rpcHttpEnabled: ["rpc-http-port", "rpc-http-host"],
          rpcWsEnabled: ["rpc-ws-port"],
        }),
      ),
    );
  });

  it("are none if the flag is on", () => {
    expect(ignored({ "rpc-http-enabled": true, "rpc-http-port": 1 })).toEqual(new Map());
  });

  it("are reported if the flag was set to false", () => {
    expect(ignored({ "rpc-http-enabled": false, "rpc-http-port": 1 })).toEqual(
      new Map([["rpcHttpEnabled", ["rpc-http-port"]]]),
    );
  });

  it("do not include options with default values", () => {
    expect(ignored({})).toEqual(new Map());
  });

  it("do not include those of a profile", () => {
    const schema = schemaOf({ core: needy });
    const layer = valueLayer("profile", { "rpc-http-port": 1 });

    expect(new Configuration(schema, [layer]).ignored(schema)).toEqual(new Map());
  });
});

function schemaOf(owners: Readonly<Record<string, Options>>): OptionSchema {
  const schema = new OptionSchema();
  for (const [owner, options] of Object.entries(owners)) schema.declare(owner, options);
  return schema;
}

function valueLayer(source: SourceKind, values: Readonly<Record<string, unknown>>): Layer {
  const label = "plinth.toml";
  const entries = Object.entries(values).map(([name, value]): [string, Given] => [
    name,
    { label, value },
  ]);
  return { source, label, entries: new Map(entries) };
}
