// @ts-check
/* Runs one of the servers in this folder: node start-server.mjs <product|floor|plain|express> */
import { importTs } from "../../lib/import-ts.mjs";

const { main } = await importTs(new URL(`${process.argv[2]}.ts`, import.meta.url).href);
await main?.();
