// Forms that adapters describe: flat objects whose fields carry title, description, default, enum and, for
// secrets, `secret: true`.
import type { TObject } from 'typebox';

/** A flat object schema that a form is made of, or a configuration is checked with. */
export type Form = TObject;
