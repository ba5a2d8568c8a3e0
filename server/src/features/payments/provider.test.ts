import { testProvider } from "./provider.contract.ts";
import { manualProvider } from "./provider.ts";

testProvider(manualProvider);
