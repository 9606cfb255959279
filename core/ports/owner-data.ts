// All that is stored of one owner: added from a file, and removed for good.
import type { Task } from '../domain/task.ts';

/**
 * What became of a task that was to be added: it was; the owner has one with this id, however it stands;
 * its id is another owner's; the owner's quota is used up.
 */
export type AddedTask = 'added' | 'there' | 'taken' | 'full';

export interface OwnerData {
  /**
   * Adds live tasks of this owner as they are, up to 100, and answers what became of each, in their order. A
   * task loses a dedupe key that another live task of the owner has. Nobody is told of them: no webhook, no
   * escalation. Durable when it resolves. Throws SERVICE_UNAVAILABLE when storage does not answer; some may
   * have been added by then.
   */
  addTasks(ownerId: string, tasks: readonly Task[]): Promise<AddedTask[]>;
  /**
   * Removes all that is stored of the owner, the user last, in many small writes. After an interruption the
   * next call removes what is left. Nothing may be written for the owner meanwhile. Throws
   * SERVICE_UNAVAILABLE when storage does not answer.
   */
  erase(ownerId: string): Promise<void>;
}
