//! One line of meaning, a code, a name, fields and a message make a consensus error.

/// Declares a band of consensus errors with their codes, names, messages and fields.
macro_rules! consensus_errors {
    (
        $(#[$band_doc:meta])*
        $band:ident {
            $( $(#[$doc:meta])* $code:literal $name:ident { $($field:ident : $kind:ty),* $(,)? } => $message:literal; )*
        }
    ) => {
        $(#[$band_doc])*
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize)]
        pub enum $band {
            $(
                $(#[$doc])*
                #[error($message)]
                $name {
                    $(
                        #[doc = concat!("`", stringify!($field), "` of the refusal.")]
                        $field: $kind,
                    )*
                },
            )*
        }

        impl $band {
            /// Codes and names of the band, ascending.
            pub const ALL: &'static [(u32, &'static str)] = &[$(($code, stringify!($name)),)*];

            /// The protocol's code.
            pub fn code(&self) -> u32 {
                match self { $( Self::$name { .. } => $code, )* }
            }

            /// The protocol's name of the error.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$name { .. } => stringify!($name), )* }
            }

            /// The members of the error by name, as JSON.
            pub fn fields(&self) -> serde_json::Value {
                let tagged = serde_json::to_value(self).unwrap_or(serde_json::Value::Null);
                match tagged {
                    serde_json::Value::Object(map) => map.into_iter().next().map_or(serde_json::Value::Null, |(_, v)| v),
                    other => other,
                }
            }
        }
    };
}

pub(super) use consensus_errors;
