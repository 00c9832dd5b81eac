import { messageOf, PlinthError } from "@plinth/core";

/** Asks a running manager at the address where it serves its node; answers the JSON of its response. */
export async function askManager(url: URL, init: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, init);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch (error) {
    throw new PlinthError("ENCLAVE_UNREACHABLE", {
      message: `No private transaction manager answers at ${url.origin}: ${messageOf(error)}`,
      cause: error,
    });
  }
}
