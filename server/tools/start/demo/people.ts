import type { Category } from "../../../src/contract/index.ts";

/** Amara, Jonas and Priya mostly hire; the others mostly bid; Oda is an operator. */
const NAMES = {
  amara: "Amara Okafor",
  jonas: "Jonas Lindqvist",
  priya: "Priya Raman",
  mateo: "Mateo Álvarez",
  hana: "Hana Suzuki",
  tariq: "Tariq Rahman",
  elena: "Elena Petrova",
  kofi: "Kofi Mensah",
  linh: "Linh Nguyen",
  claire: "Claire Dubois",
  oda: "Oda Berg",
};
export type DemoName = keyof typeof NAMES;

export type DemoAccount = {
  key: DemoName;
  uid: string;
  email: string;
  password: string;
  displayName: string;
  /** Has the custom claim `admin`, so can see reports and hide tasks. */
  isOperator: boolean;
};

export const demoAccounts = (Object.keys(NAMES) as DemoName[]).map(demoAccount);

export function demoAccount(name: DemoName): DemoAccount {
  return {
    key: name,
    uid: `demo-${name}`,
    email: `${name}@tasklane.example`,
    // Public, because these accounts exist only in the local Auth emulator.
    password: "Tasklane1",
    displayName: NAMES[name],
    isOperator: name === "oda",
  };
}

export type DemoTask = {
  key: string;
  category: Category;
  title: string;
  description: string;
  by: DemoName;
  /** Posted this many days before the data is loaded, so that the demo data never looks old. */
  posted: number;
  /** Days from the load to the deadline; negative if it has passed. */
  due: number;
  budget: number;
  bids: DemoName[];
};

/** Returns a function that builds the demo tasks of one category. */
export function tasksOf(category: Category) {
  return (
    key: string,
    facts: Pick<DemoTask, "by" | "posted" | "due" | "budget" | "bids">,
    title: string,
    description: string,
  ): DemoTask => ({ key, category, title, description, ...facts });
}
