/** The key of an entry in the database, which all tables share: the prefix of its table, then its own. */
export function joined(prefix: Uint8Array, key: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(prefix.length + key.length);
  bytes.set(prefix, 0);
  bytes.set(key, prefix.length);
  return bytes;
}

/** The first key after all that begin with a prefix; its last byte is zero, so raising it is enough. */
export function endOf(prefix: Uint8Array): Uint8Array {
  const end = new Uint8Array(prefix);
  end[end.length - 1] = 1;
  return end;
}
