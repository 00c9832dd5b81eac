import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { checkDiskSpace } from "./disk-space.js";

it("reports when a disk is nearly full, and how much is left", async () => {
  expect(await checkDiskSpace("/data", async () => 512 * 2 ** 20)).toEqual({ status: "up" });
  expect(await checkDiskSpace("/data", async () => 37 * 2 ** 20)).toMatchObject({
    status: "degraded",
    detail: expect.stringMatching(/^37 MiB are left on the disk of \/data; /),
  });
});

it("reads the disk of a folder", async () => {
  expect(["up", "degraded"]).toContain((await checkDiskSpace(tmpdir())).status);
});
