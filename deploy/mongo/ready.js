// The health check of the stack's MongoDB, for mongosh: passes when Qinbox can log in and write. On the way there it initiates the
// replica set of one and makes the accounts, through the door that MongoDB leaves open on the machine itself until there is an
// account. A new password in .env is taken up, as long as that of the administrator is the old one.
const {
  MONGODB_ADMIN_PASSWORD,
  MONGODB_PASSWORD,
  MONGODB_HOST = 'mongo:27017',
  MONGODB_PORT = '27017',
} = process.env;

function server(account) {
  const login = account === undefined ? '' : `${account.name}:${encodeURIComponent(account.password)}@`;
  const source = account === undefined ? '' : `&authSource=${account.database}`;
  return new Mongo(
    `mongodb://${login}127.0.0.1:${MONGODB_PORT}/?directConnection=true&serverSelectionTimeoutMS=2000${source}`,
  );
}
const qinbox = { name: 'qinbox', password: MONGODB_PASSWORD, database: 'qinbox' };
const admin = { name: 'admin', password: MONGODB_ADMIN_PASSWORD, database: 'admin' };

function tryLogin(account) {
  try {
    // mongosh waits for what is assigned, not for what is returned.
    const connection = server(account);
    return connection;
  } catch (error) {
    if (error.code === 18) return null;
    throw error;
  }
}

function fail(why) {
  print(why);
  quit(1);
}

/** The set has one member, which is its primary a moment after this. */
function initiate() {
  const local = server().getDB('admin');
  const { setName } = local.hello();
  if (setName === undefined)
    local.adminCommand({ replSetInitiate: { _id: 'qinbox', members: [{ _id: 0, host: MONGODB_HOST }] } });
}

function makeAccounts() {
  if (tryLogin(admin) === null) {
    try {
      server()
        .getDB('admin')
        .createUser({ user: admin.name, pwd: admin.password, roles: ['root'] });
    } catch (error) {
      fail(`MONGODB_ADMIN_PASSWORD in .env is not that of the account "admin" here (${error.message})`);
    }
  }
  const database = tryLogin(admin).getDB(qinbox.database);
  if (database.getUser(qinbox.name) === null)
    database.createUser({ user: qinbox.name, pwd: qinbox.password, roles: ['readWrite'] });
  else database.changeUserPassword(qinbox.name, qinbox.password);
}

const isPrimary = (connection) => connection.getDB('admin').hello().isWritablePrimary;
let login = tryLogin(qinbox);
if (login === null) {
  initiate();
  for (let tries = 0; !isPrimary(server()); tries++) {
    if (tries === 50) fail('The replica set has no primary yet');
    sleep(100);
  }
  makeAccounts();
  login = tryLogin(qinbox);
}
if (login === null || !isPrimary(login)) fail('The replica set has no primary');
quit(0);
