import { writeFileSync } from "node:fs";
import type { SealedHeader } from "@plinth/core";
import changes from "@plinth/plugin-changes";
import relay from "@plinth/plugin-relay-postgres";
import { type Database, selectSchema } from "@plinth/plugin-relay-postgres/api";
import { BOB, createTestNode, recordLogs, transfer } from "@plinth/testing";
import { describe, expect, it, vi } from "vitest";
import { CertificateMaker, isOpensslMissing } from "../support/certificates.js";
import { isPostgresMissing, PostgresServer } from "../support/postgres-server.js";
import { expectRelayed, untilRelayed } from "../support/relayed-chain.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- relay` ends the server 50 times. */
const CRASHES = Number(process.env.PLINTH_RELAY_SERVER_CRASHES ?? 2);
const PASSWORD = "a password that no log contains";

describe.skipIf(isPostgresMissing)("a relay to a PostgreSQL server", () => {
  it("writes the chain with COPY and follows it, by TCP with a password", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    await using test = await start(server, { relayPostgresBatchBlocks: 7 }, { isRelaying: false });
    await test.node.mine(...Array.from({ length: 30 }, () => [transfer({ to: BOB }), transfer()]));

    await test.restart({ isRelaying: true });
    await test.expectEqual();
    await test.node.mine([transfer()], []);
    await test.node.reorganize(2);

    await test.expectEqual();
  });

  it("reports a wrong password without it, and connects once it is right", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    await using test = await start(server);
    await test.node.mine([transfer()]);
    await test.expectEqual();
    test.setPassword("a wrong password");

    await test.restart();
    await vi.waitFor(() => expect(test.warnings()).not.toEqual([]), { timeout: 10_000 });
    const [warning] = test.warnings();
    test.setPassword(PASSWORD);
    await test.node.mine([transfer()]);

    expect(warning).toContain("password authentication failed");
    expect(warning).toContain("(check --relay-postgres-password-file, or the variable PGPASSWORD)");
    await test.expectEqual();
    expect(JSON.stringify(test.logs.entries)).not.toMatch(
      new RegExp(`${PASSWORD}|a wrong password`),
    );
  });

  it("is alone in its schema: a second one waits until the first one ends", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    await using first = await start(server);
    await first.node.mine([transfer()], []);
    await first.expectEqual();

    await using second = await start(server);
    await vi.waitFor(() => expect(second.warnings()).not.toEqual([]), { timeout: 10_000 });
    await first.node.stop();

    expect(second.warnings()[0]).toMatch(
      /a relay from 127.0.0.1 \(process \d+ of the server, user relay\) writes to the schema plinth; stop it/,
    );
    await second.node.mine([transfer()]);
    await second.expectEqual();
  });

  it("continues after its connection was ended, at the head and while it is behind", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    await using test = await start(server);
    await test.node.mine([transfer()]);
    await test.expectEqual();
    const terminate = () =>
      server.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'plinth%'",
      );

    expect(await terminate()).toHaveLength(1);
    await test.node.mine([transfer()]);
    await test.expectEqual();
    await terminate();
    await test.node.reorganize(1);

    await test.expectEqual();
  });

  it("does not keep the node from stopping while a statement waits, and loses nothing", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    await using test = await start(server);
    await test.node.mine([transfer()]);
    await test.expectEqual();
    const release = await server.hold("LOCK TABLE plinth.blocks IN ACCESS EXCLUSIVE MODE");
    await test.node.mine([transfer()]);
    await vi.waitFor(async () =>
      expect(await server.query("SELECT 1 FROM pg_locks WHERE NOT granted")).toHaveLength(1),
    );

    const began = performance.now();
    await test.node.stop();
    const took = performance.now() - began;
    await release();
    await test.node.restart();

    expect(took).toBeLessThan(15_000);
    await test.expectEqual();
  });

  it("is rejected by a database that cannot have every text", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    await server.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");

    await using test = await start(server, {
      relayPostgresUrl: server.url().replace(/postgres$/, "latin"),
    });
    await vi.waitFor(() => expect(test.warnings()).not.toEqual([]), { timeout: 10_000 });

    expect(test.warnings()[0]).toContain("the database has the encoding LATIN1, expected UTF8");
  });

  it("is shown as the writer of its own database only", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    await server.query("CREATE DATABASE other");
    const relayPostgresUrl = server.url().replace(/postgres$/, "other");
    await using other = await start(server, { relayPostgresUrl });
    await vi.waitFor(async () =>
      expect((await other.status()).stdout).toContain("Writer:    a relay from 127.0.0.1"),
    );
    await other.node.stop();
    await using first = await start(server);
    await first.node.mine([]);
    await first.expectEqual();

    expect((await other.status()).stdout).toContain("Writer:    none");
  });

  it("ends its sessions soon after their peer has vanished", async () => {
    await using server = await PostgresServer.start(PASSWORD);
    const rows = await server.queryByTcp(PASSWORD, async (run) => {
      await selectSchema({ execute: async (sql) => void (await run(sql)) } as Database, "public");
      return run(
        "SELECT current_setting('tcp_keepalives_idle'), current_setting('tcp_keepalives_interval'), current_setting('tcp_keepalives_count')",
      );
    });

    expect(rows).toEqual([["30", "10", "3"]]);
  });

  it(
    `has the chain after the server has ended at any time, ${CRASHES} times`,
    async () => {
      await using server = await PostgresServer.start(PASSWORD);
      await using test = await start(server);
      for (let crash = 0; crash < CRASHES; crash++) {
        const isMining = new AbortController();
        const mining = mineUntil(test.node, isMining.signal);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
        await server.crash();
        await test.node.mine([transfer()]);
        await server.restart();
        isMining.abort();
        await mining;
        await test.expectEqual();
      }
    },
    CRASHES * 30_000,
  );
});

describe.skipIf(isPostgresMissing || isOpensslMissing)("a relay by TLS", () => {
  it("verifies the certificate of the server", async () => {
    using folder = temporaryFolder();
    const maker = new CertificateMaker(folder.path);
    const [authority, other] = [maker.create("authority"), maker.create("other")];
    await using server = await PostgresServer.start(PASSWORD, {
      certificate: maker.sign("server", authority),
    });
    const at = (parameters: string) => ({ relayPostgresUrl: server.url(parameters) });
    await using test = await start(server, at("?sslmode=disable"));
    const expectWarning = async (text: string) => {
      await vi.waitFor(() => expect(test.warnings().at(-1)).toContain(text), { timeout: 10_000 });
    };

    await expectWarning("no encryption");
    await test.restart(at("?sslmode=verify-full&sslrootcert=/missing.pem"));
    await vi.waitFor(() =>
      expect(test.warnings().at(-1)).toMatch(
        /: --relay-postgres-url: sslrootcert: ENOENT: [^(]*; trying again/,
      ),
    );
    await test.restart(at("?sslmode=verify-full"));
    await expectWarning("sslrootcert");
    await test.restart(at(`?sslmode=verify-full&sslrootcert=${other.certFile}`));
    await expectWarning("sslrootcert");
    for (const mode of ["verify-full", "verify-ca", "require"]) {
      await test.restart(at(`?sslmode=${mode}&sslrootcert=${authority.certFile}`));
      await test.node.mine([transfer()]);
      await test.expectEqual();
    }
    await test.restart(at("?sslmode=require"));
    await test.node.mine([transfer()]);

    await test.expectEqual();
    expect(
      await server.query(
        "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'plinth%'",
      ),
    ).toEqual([["t"]]);
  });
});

/** Mines, and moves the head, until the signal aborts. */
async function mineUntil(node: Awaited<ReturnType<typeof createTestNode>>, signal: AbortSignal) {
  for (let count = 0; !signal.aborted; count++) {
    await node.mine([transfer()], [transfer(), transfer()]);
    const { blocks } = node.node;
    const back = blocks.findHeader(blocks.head().number - 1n) as SealedHeader;
    if (count % 3 === 2) await blocks.setHead(back.hash);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

interface Mode {
  readonly isRelaying?: boolean;
  readonly [option: string]: unknown;
}

/** A node whose relay writes to a server. */
async function start(server: PostgresServer, given: Mode = {}, mode: Mode = {}) {
  const folder = temporaryFolder();
  const passwordFile = folder.file("password");
  const setPassword = (password: string) => writeFileSync(passwordFile, `${password}\n`);
  setPassword(PASSWORD);
  const logs = recordLogs();
  const options: Record<string, unknown> = {};
  const configure = ({ isRelaying = true, ...more }: Mode) => {
    const relayed = {
      relayPostgresUrl: server.url(),
      relayPostgresPasswordFile: passwordFile,
      ...given,
      ...more,
    };
    for (const key of Object.keys(options)) delete options[key];
    Object.assign(options, { devPeriodSeconds: 3600, changesEnabled: true });
    if (isRelaying) Object.assign(options, relayed);
  };
  configure(mode);
  const node = await createTestNode({ plugins: [changes, relay], logs, options });
  const read = (sql: string) => server.query(sql);
  return {
    ...{ node, logs, setPassword },
    warnings: () =>
      logs.entries
        .filter(({ logger, level }) => logger === "relay-postgres" && level === "warn")
        .map(({ message }) => message),
    status: () => node.command("relay status"),
    async expectEqual() {
      await untilRelayed(node.node, read, "plinth");
      await expectRelayed(node.node, read, "plinth");
    },
    async restart(changed: Mode = {}) {
      configure(changed);
      await node.restart();
    },
    async [Symbol.asyncDispose]() {
      await node.stop();
      folder[Symbol.dispose]();
    },
  };
}
