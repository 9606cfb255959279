// Runs mongo-java-server for tests. Arguments: the port to listen on at 127.0.0.1, and a folder. Ends when its standard input
// does, so that it never outlives a test run.

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import java.util.List;

public class Server {
  // It calls itself older than MongoDB's driver still talks to.
  private static final MongoVersion MONGO_4_4 =
      new MongoVersion() {
        public List<Integer> getVersionArray() {
          return List.of(4, 4, 0);
        }

        public int getWireVersion() {
          return 9;
        }
      };

  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new H2Backend(arguments[1] + "/data.mv").version(MONGO_4_4));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    while (System.in.read() >= 0) {
      // Nothing is told here.
    }
    server.shutdownNow();
  }
}
