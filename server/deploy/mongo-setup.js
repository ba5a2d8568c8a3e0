// @ts-nocheck: runs in mongosh. Creates the replica set and the product's user; safe to run again.
const { ROOT_PASSWORD, TASKLANE_PASSWORD } = process.env;
const SET = {
  _id: "tasklane",
  members: ["mongo1", "mongo2", "mongo3"].map((name, index) => ({ _id: index, host: `${name}:27017` })),
  // A primary that is silent for five seconds is replaced, as in `npm run tool chaos`.
  settings: { electionTimeoutMillis: 5000 },
};
const ALREADY_INITIALIZED = 23;

const one = connect(`mongodb://root:${encodeURIComponent(ROOT_PASSWORD)}@mongo1/admin?directConnection=true`);
try {
  one.adminCommand({ replSetInitiate: SET });
} catch (error) {
  if (error.code !== ALREADY_INITIALIZED) throw error;
}

const hosts = SET.members.map(({ host }) => host).join(",");
const set = connect(
  `mongodb://root:${encodeURIComponent(ROOT_PASSWORD)}@${hosts}/admin?replicaSet=tasklane&serverSelectionTimeoutMS=60000`,
);
const tasklane = set.getSiblingDB("tasklane");
// dbAdmin lets each version of the product set its own validation rules.
const roles = ["readWrite", "dbAdmin"].map((role) => ({ role, db: "tasklane" }));
if (tasklane.getUser("tasklane")) tasklane.updateUser("tasklane", { pwd: TASKLANE_PASSWORD, roles });
else tasklane.createUser({ user: "tasklane", pwd: TASKLANE_PASSWORD, roles });
print("the replica set and the user exist");
