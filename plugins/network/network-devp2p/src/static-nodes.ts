import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";
import { type Enode, parseEnode } from "@plinth/core/network";

/** Reads `static-nodes.json`: an array of enode URLs. Only a file named explicitly must exist. */
export async function readStaticNodes({
  file,
  dataPath,
  allowsNames,
}: {
  readonly file: string | undefined;
  readonly dataPath: string;
  readonly allowsNames: boolean;
}): Promise<readonly Enode[]> {
  const path = file ?? join(dataPath, "static-nodes.json");
  const text = await findText(path, file !== undefined);
  if (text === undefined || text.trim() === "") return [];
  return parseList(path, text).map((entry) => readEntry(path, entry, allowsNames));
}

async function findText(path: string, isNamed: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing && !isNamed) return undefined;
    const reason = isMissing ? "does not exist" : `cannot be read: ${messageOf(error)}`;
    throw invalid(path, `Static nodes file ${path} ${reason}`, error);
  }
}

function parseList(path: string, text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch (error) {
    throw invalid(path, `Static nodes file ${path} is not JSON: ${messageOf(error)}`, error);
  }
  throw invalid(path, `Static nodes file ${path} does not contain an array of enode URLs`);
}

function readEntry(path: string, entry: unknown, allowsNames: boolean): Enode {
  try {
    const enode = parseEnode(String(entry), { allowsNames });
    if (enode.tcpPort !== 0) return enode;
  } catch (error) {
    throw invalid(
      path,
      `${path}: Illegal static enode supplied (${entry}): ${messageOf(error)}`,
      error,
    );
  }
  throw invalid(
    path,
    `${path}: Illegal static enode supplied (${entry}): it has no listening port`,
  );
}

function invalid(path: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError("STATIC_NODES_INVALID", { message, path, cause });
}
