import { buildServer } from "../dev/build/build-product.ts";
import { Closer } from "../dev/lib/closer.ts";
import { startMongo } from "../dev/mongo/start-mongo.ts";
import { fill } from "./fill.ts";
import { describeMachine } from "./machine.ts";
import {
  type MeasureOptions,
  measureRows,
  measureStreams,
  openSite,
  type Site,
  type SizeResult,
} from "./measure.ts";
import { reportOf } from "./report.ts";
import { takeSample } from "./sample.ts";
import { startTime } from "./start-time.ts";
import { makeKeys, signTokens } from "./tokens.ts";

export type BenchOptions = MeasureOptions & { sizes: number[]; client: boolean };

const BIDDERS = 300;

/** Measures everything on a temporary database and answers the report. */
export async function runBench(options: BenchOptions, progress: (text: string) => void): Promise<string> {
  const closer = new Closer();
  closer.closeOnSignal(1);
  try {
    progress("building the server");
    await buildServer();
    const client = options.client ? await prepareClient(progress) : undefined;
    progress("starting MongoDB");
    const mongo = await closer.track(startMongo({ progress, onCrash: closer.fail }), ({ stop }) => stop());
    const { publicKey, privateKey } = makeKeys();
    const tokens = signTokens(privateKey, BIDDERS);

    const sites: Site[] = [];
    for (const count of [...options.sizes].sort((a, b) => a - b)) {
      closer.throwIfClosing();
      const filled = await fill(mongo.uri, count, progress);
      const sample = await takeSample(filled, tokens);
      const start = { publicKey, webRoot: client?.webRoot };
      const site = openSite(filled, sample, start, (server) => closer.track(server, ({ stop }) => stop()));
      sites.push(await site);
    }
    const largest = sites.at(-1);
    if (!largest) return "";

    const streams: SizeResult["streamed"][] = [];
    for (const site of sites) {
      progress(`streaming all ${site.filled.count} tasks`);
      streams.push(await measureStreams(site));
    }
    const startMs = await startTime(largest.filled);
    const rows = await measureRows(sites, options, progress);
    const sizes = sites.map(({ filled: { count }, sample: { deepPage } }, index) => ({
      count,
      deepPage,
      rows: rows[index] ?? {},
      streamed: streams[index] ?? {},
    }));
    const figures = client ? await client.measure(largest.servers.ours.url) : [];
    const machine = await describeMachine(mongo.uri);
    return reportOf({ sizes, startMs }, { machine, options, client: figures });
  } finally {
    await closer.close();
  }
}

/** Built only where it is measured. */
async function prepareClient(progress: (text: string) => void) {
  const { buildForE2e, E2E_WEB_ROOT } = await import("../dev/e2e-server.ts");
  const { measureClient } = await import("./client.ts");
  progress("building the web app");
  await buildForE2e();
  return { webRoot: E2E_WEB_ROOT, measure: (url: string) => measureClient(url, E2E_WEB_ROOT, progress) };
}
