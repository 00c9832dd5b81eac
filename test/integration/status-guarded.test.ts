import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import cmdStatus from "@plinth/plugin-cmd-status";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { type Certificate, CertificateMaker, isOpensslMissing } from "../support/certificates.js";
import { startNode } from "../support/program.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";
import { createKeys, createToken } from "../support/tokens.js";

const TLS = ["--rpc-http-tls-enabled", "--profile=dev", "--rpc-ws-on-http-port=false"];

describe.skipIf(isOpensslMissing)("plinth status of a protected node", () => {
  it("finds its certificate by the data folder, and reads a token from a file", async () => {
    using folder = temporaryFolder();
    const certificate = createCertificate(folder);
    const { privateKey, pem } = createKeys("RS256");
    writeFileSync(folder.file("jwt.pem"), pem);
    await using node = await startNode(
      [
        ...[...TLS, `--rpc-http-tls-certificate-file=${certificate.certFile}`],
        `--rpc-http-tls-key-file=${certificate.keyFile}`,
        "--rpc-http-authentication-enabled",
        "--rpc-http-authentication-jwt-public-key-file=jwt.pem",
      ],
      { folder: folder.path },
    );
    const exp = Math.floor(Date.now() / 1000) + 60;
    const claims = { exp, permissions: ["*:*"] };
    writeFileSync(
      folder.file("token"),
      `${createToken({ alg: "RS256", key: privateKey, claims })}\n`,
    );
    const url = node.url.replace("http:", "https:");

    const without = await status(folder);
    const entered = await status(folder, { tokenFile: folder.file("token") });
    const wrong = await status(folder, { token: "nonsense" });
    const unknown = await status(folder, { url });
    const named = await status(folder, { url, ca: certificate.certFile });
    const plain = await status(folder, { url: node.url });

    expect(without).toMatchObject({ code: 0, stdout: expect.stringContaining("Health    ready") });
    expect(without.stdout).toContain("it requires a token: HTTP 401; set one with --token-file");
    expect(entered.stdout).toContain("No problems.");
    expect(entered).toMatchObject({ code: 0, stdout: expect.stringContaining(`Node      ${url}`) });
    expect(wrong).toMatchObject({ code: 2, stdout: expect.stringContaining("rejects the token") });
    expect(unknown).toMatchObject({ code: 2, stdout: expect.stringContaining("--ca=FILE names") });
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining("Health    ready") });
    expect(plain).toMatchObject({ code: 2, stdout: expect.stringContaining("--url=https://") });
  });

  it("reports that no flag helps against an expired certificate", async () => {
    using folder = temporaryFolder();
    const maker = new CertificateMaker(folder.path);
    const authority = maker.create("authority");
    const { certFile, keyFile } = maker.sign("localhost", authority, -1);
    const pem = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    const server = createServer(pem, (_, response) => response.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;

    const asked = await status(folder, {
      url: `https://127.0.0.1:${port}`,
      ca: authority.certFile,
    });
    server.close();

    expect(asked).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("another certificate"),
    });
    expect(asked.stdout).not.toContain("--ca=FILE");
  });

  it("queries one with a key store without a token, and shows none of them a token", async () => {
    using folder = temporaryFolder();
    const certificate = createCertificate(folder);
    new CertificateMaker(folder.path).store(certificate, folder.file("store.p12"), "secret");
    writeFileSync(folder.file("password"), "secret");
    await using _ = await startNode(
      [
        ...[...TLS, "--rpc-http-tls-keystore-file=store.p12"],
        "--rpc-http-tls-keystore-password-file=password",
      ],
      { folder: folder.path },
    );

    const asked = await status(folder);
    const withToken = await status(folder, { token: "secret" });

    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining("No problems.") });
    expect(withToken).toMatchObject({ code: 2, stdout: expect.stringContaining("--ca=FILE") });
  });
});

function createCertificate(folder: TemporaryFolder): Certificate {
  return new CertificateMaker(folder.path).create("localhost");
}

async function status(folder: TemporaryFolder, flags: Readonly<Record<string, unknown>> = {}) {
  await using node = await createTestNode({
    plugins: [cmdStatus],
    options: { dataPath: folder.file("data") },
  });
  return node.command("status", { flags });
}
