import { StorageError } from "../kernel/errors.js";

const TABLE_NAME = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

/**
 * Throws if the text is not a table name: lower-case words joined by dots or hyphens.
 *
 * Drivers rely on it: a name never contains a zero byte, so a name and a zero byte form a key
 * prefix that no other table shares.
 */
export function verifyTableName(name: string): void {
  if (!TABLE_NAME.test(name)) {
    throw new StorageError("TABLE_NAME_INVALID", {
      message: `"${name}" is not a table name; use lower-case words joined by dots or hyphens`,
      table: name,
    });
  }
}
