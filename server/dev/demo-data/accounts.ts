import type { DemoAccount } from "./types.ts";

// One password for all: these accounts exist in the local auth emulator only.
const password = "Tasklane1";

/** Amara, Jonas and Priya mostly hire; the others mostly bid; Oda keeps order as an operator. No photos: avatars are drawn from initials. */
export const demoAccounts: DemoAccount[] = [
  { uid: "demo-amara", email: "amara@tasklane.example", password, displayName: "Amara Okafor" },
  { uid: "demo-jonas", email: "jonas@tasklane.example", password, displayName: "Jonas Lindqvist" },
  { uid: "demo-priya", email: "priya@tasklane.example", password, displayName: "Priya Raman" },
  { uid: "demo-mateo", email: "mateo@tasklane.example", password, displayName: "Mateo Álvarez" },
  { uid: "demo-hana", email: "hana@tasklane.example", password, displayName: "Hana Suzuki" },
  { uid: "demo-tariq", email: "tariq@tasklane.example", password, displayName: "Tariq Rahman" },
  { uid: "demo-elena", email: "elena@tasklane.example", password, displayName: "Elena Petrova" },
  { uid: "demo-kofi", email: "kofi@tasklane.example", password, displayName: "Kofi Mensah" },
  { uid: "demo-linh", email: "linh@tasklane.example", password, displayName: "Linh Nguyen" },
  { uid: "demo-claire", email: "claire@tasklane.example", password, displayName: "Claire Dubois" },
  { uid: "demo-oda", email: "oda@tasklane.example", password, displayName: "Oda Berg", operator: true },
];
