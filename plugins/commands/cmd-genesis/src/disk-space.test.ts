import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { verifyDiskSpace } from "./disk-space.js";

it("rejects more nodes than fit on the disk, and reports the free space", async () => {
  await expect(verifyDiskSpace(tmpdir(), 1)).resolves.toBeUndefined();
  await expect(verifyDiskSpace(tmpdir(), 100_000_000)).rejects.toMatchObject({
    code: "NO_ROOM",
    message: expect.stringMatching(/: \d+ MiB are free, 100000000 nodes need/),
  });
});
