import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { definePlugin } from "@plinth/core";
import type { EnclaveLink } from "@plinth/kit-enclave";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import { tessera } from "@plinth/plugin-enclave-tessera/api";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { CertificateMaker, isOpensslMissing } from "../support/certificates.js";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.js";

describe.skipIf(isOpensslMissing)("the connection to a manager over TLS", () => {
  it("presents the node's certificate, and accepts that of a known manager", async () => {
    using folder = temporaryFolder();
    await using site = await openSite(folder, (fingerprint) => fingerprint);

    expect(await site.link.post("/receive", {})).toEqual({ status: 200, body: "node" });
  });

  it("rejects a manager with another certificate", async () => {
    using folder = temporaryFolder();
    await using site = await openSite(folder, () => Array(32).fill("AB").join(":"));

    await expect(site.link.post("/receive", {})).rejects.toThrow(
      /the certificate of 127\.0\.0\.1:\d+ is not in the list of known certificates/,
    );
  });
});

/**
 * A manager that returns the name in its caller's certificate, and a node that knows it by a
 * fingerprint.
 */
async function openSite(folder: TemporaryFolder, known: (fingerprint: string) => string) {
  const maker = new CertificateMaker(folder.path);
  const [manager, client] = [maker.create("manager"), maker.create("node")];
  maker.store(client, folder.file("node.p12"), "secret");
  writeFileSync(folder.file("password"), "secret\n");
  const server = createServer(
    { key: manager.key, cert: manager.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  writeFileSync(folder.file("known"), `127.0.0.1:${port} ${known(manager.fingerprint)}\n`);
  let link: EnclaveLink | undefined;
  const user = definePlugin({
    name: "user",
    dependencies: { tessera },
    setup({ onStart }) {
      onStart(async (runtime) => {
        link = await runtime.tessera.open();
      });
    },
  });
  const node = await createTestNode({
    plugins: [enclaveTessera, user],
    options: {
      privacyUrl: `http://127.0.0.1:${port}`,
      privacyTlsEnabled: true,
      privacyTlsKeystoreFile: folder.file("node.p12"),
      privacyTlsKeystorePasswordFile: folder.file("password"),
      privacyTlsKnownEnclaveFile: folder.file("known"),
    },
  });
  if (link === undefined) throw new Error("the node does not run");
  return {
    link,
    async [Symbol.asyncDispose]() {
      await node.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
